//! `GET` and `POST /clave`: requests a link for a new password. `GET` and `POST /clave/{code}`: the link. Without a mail
//! server these pages do not exist.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::{ClientNetwork, RequestedMails, SignInError};

use super::sign_up::{self, too_weak};
use crate::current_user::Visitor;
use crate::error::PageError;
use crate::form::VisitorForm;
use crate::layout::Layout;
use crate::{login_session, response};

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

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    mails(&visitor)?;
    page(&visitor, Step::Request, "", None)
}

pub(crate) async fn request(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let email = fields.text("email");
    match mails(&visitor)?.request_password(email, visitor.client_address()).await {
        Ok(()) => page(&visitor, Step::Requested, "", None),
        Err(SignInError::Email) => page(&visitor, Step::Request, email, Some(sign_up::NO_ADDRESS.to_owned())),
        Err(error) => Err(error.into()),
    }
}

/// The link, which a program may open before its owner: it only shows a form.
pub(crate) async fn show_link(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let mails = mails(&visitor)?;
    visitor.panel.form_rate.codes.take(&visitor.client_address().map(ClientNetwork::from))?;
    let is_valid = mails.is_valid(code(&visitor)).await?;
    page(&visitor, if is_valid { Step::Choose } else { Step::Void }, "", None)
}

pub(crate) async fn set(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    match mails(&visitor)?.set_password(&visitor.panel.sign_in, code(&visitor), fields.text("password")).await {
        Ok(Some(())) => page(&visitor, Step::Done, "", None),
        Ok(None) => page(&visitor, Step::Void, "", None),
        Err(SignInError::Weak(weak)) => page(&visitor, Step::Choose, "", Some(too_weak(weak))),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn mails(visitor: &Visitor) -> Result<&RequestedMails, PageError> {
    visitor.panel.mails.as_deref().ok_or(PageError::NotFound)
}

pub(super) fn code(visitor: &Visitor) -> &str {
    visitor.request.match_info().get("code").unwrap_or_default()
}

fn page(visitor: &Visitor, step: Step, email: &str, wrong: Option<String>) -> Result<HttpResponse, PageError> {
    let (is_void, email) = (matches!(step, Step::Void), email.to_owned());
    let status = link_status(is_void, wrong.is_some());
    let page = |layout| response::page(status, &NewPasswordPage { layout, step, email, wrong });
    login_session::page_with_form(visitor, page)
}

/// The status of the page of a link.
pub(super) const fn link_status(is_void: bool, is_wrong: bool) -> StatusCode {
    match (is_void, is_wrong) {
        (true, _) => StatusCode::NOT_FOUND,
        (false, true) => StatusCode::UNPROCESSABLE_ENTITY,
        (false, false) => StatusCode::OK,
    }
}
