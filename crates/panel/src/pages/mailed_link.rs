//! `/clave`: requests a link for a new password. `/clave/{code}`, `/confirmar/{code}`, `/correo/{code}`: the links of mails,
//! for that password, for an account's address, and to end the mails of changes. A program may open a link before its owner:
//! `GET` only shows a form. Without a mail server these pages do not exist.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::{ClientNetwork, MailChanges, RequestedMails, SignInError};

use super::sign_up::{self, too_weak};
use crate::error::PageError;
use crate::layout::Layout;
use crate::request::{Visitor, VisitorForm};
use crate::{csrf, login_session, response};

#[derive(Template)]
#[template(path = "new_password.html")]
struct NewPasswordPage {
    layout: Layout,
    step: Step,
    email: String,
    wrong: Option<String>,
}

enum Step {
    Request,
    Requested,
    Choose,
    /// The link is used or old.
    Void,
    Done,
}

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    layout: Layout,
    /// Whether the link is used or old.
    is_void: bool,
    wrong: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "end_digest.html")]
struct EndDigestPage {
    layout: Layout,
    is_ended: bool,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    mails(&visitor)?;
    password_page(&visitor, Step::Request, "", None)
}

pub(crate) async fn request_password(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let email = fields.text("email");
    match mails(&visitor)?.request_password(email, visitor.client_address()).await {
        Ok(()) => password_page(&visitor, Step::Requested, "", None),
        Err(SignInError::Email) => password_page(&visitor, Step::Request, email, Some(sign_up::NO_ADDRESS.to_owned())),
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn show_password(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let is_valid = mails(&visitor)?.is_valid(opened(&visitor)?).await?;
    password_page(&visitor, if is_valid { Step::Choose } else { Step::Void }, "", None)
}

pub(crate) async fn set_password(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    match mails(&visitor)?.set_password(&visitor.panel.sign_in, code(&visitor), fields.text("password")).await {
        Ok(Some(())) => password_page(&visitor, Step::Done, "", None),
        Ok(None) => password_page(&visitor, Step::Void, "", None),
        Err(SignInError::Weak(weak)) => password_page(&visitor, Step::Choose, "", Some(too_weak(weak))),
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn show_confirmation(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let is_void = !mails(&visitor)?.confirms(opened(&visitor)?).await?;
    confirm_page(&visitor, is_void, None)
}

/// Only who knows its password gets the account.
pub(crate) async fn confirm(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    match mails(&visitor)?.confirm(&visitor.panel.sign_in, code(&visitor), fields.text("password")).await {
        Ok(Some(logged_in)) => Ok(login_session::start(&visitor, &logged_in, "/panel")),
        Ok(None) => confirm_page(&visitor, true, None),
        Err(SignInError::Wrong) => {
            confirm_page(&visitor, false, Some("La contraseña no es correcta. Es la de su cuenta."))
        }
        // Since the link was sent.
        Err(SignInError::Taken) => confirm_page(&visitor, false, Some("Este correo ya tiene otra cuenta.")),
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn show_digest(visitor: Visitor) -> Result<HttpResponse, PageError> {
    opened(&visitor)?;
    let is_known = mail_changes(&visitor)?.digests.has_digest_code(digest_code(&visitor)?).await?;
    digest_page(&visitor, is_known, false)
}

/// Mail programs send it (RFC 8058): no form token, no origin. Not limited: one network sends for many users.
pub(crate) async fn end_digest(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let is_known = mail_changes(&visitor)?.digests.end_digest(digest_code(&visitor)?).await?;
    digest_page(&visitor, is_known, true)
}

fn mails(visitor: &Visitor) -> Result<&RequestedMails, PageError> {
    visitor.panel.mails.as_deref().ok_or(PageError::NotFound)
}

fn mail_changes(visitor: &Visitor) -> Result<&MailChanges, PageError> {
    visitor.panel.mail_changes.as_deref().ok_or(PageError::NotFound)
}

fn code(visitor: &Visitor) -> &str {
    visitor.request.match_info().get("code").unwrap_or_default()
}

/// The code of a link that is opened, which counts for the network's rate.
fn opened(visitor: &Visitor) -> Result<&str, PageError> {
    visitor.panel.form_rate.codes.take(&visitor.client_address().map(ClientNetwork::from))?;
    Ok(code(visitor))
}

/// What is no code does not reach the store.
fn digest_code(visitor: &Visitor) -> Result<&str, PageError> {
    Some(code(visitor)).filter(|code| csrf::is_secret(code)).ok_or(PageError::NotFound)
}

fn password_page(visitor: &Visitor, step: Step, email: &str, wrong: Option<String>) -> Result<HttpResponse, PageError> {
    let status = link_status(matches!(step, Step::Void), wrong.is_some());
    let email = email.to_owned();
    let page = |layout| response::page(status, &NewPasswordPage { layout, step, email, wrong });
    login_session::page_with_form(visitor, page)
}

fn confirm_page(visitor: &Visitor, is_void: bool, wrong: Option<&'static str>) -> Result<HttpResponse, PageError> {
    let status = link_status(is_void, wrong.is_some());
    login_session::page_with_form(visitor, |layout| response::page(status, &ConfirmPage { layout, is_void, wrong }))
}

fn digest_page(visitor: &Visitor, is_known: bool, is_ended: bool) -> Result<HttpResponse, PageError> {
    if !is_known {
        return Err(PageError::NotFound);
    }
    let layout = Layout::public(&visitor.panel.site);
    Ok(response::page(StatusCode::OK, &EndDigestPage { layout, is_ended }))
}

const fn link_status(is_void: bool, is_wrong: bool) -> StatusCode {
    match (is_void, is_wrong) {
        (true, _) => StatusCode::NOT_FOUND,
        (false, true) => StatusCode::UNPROCESSABLE_ENTITY,
        (false, false) => StatusCode::OK,
    }
}
