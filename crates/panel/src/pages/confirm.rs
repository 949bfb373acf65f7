//! `GET` and `POST /confirmar/{code}`: the link that confirms the address of a new account, or the new one of an account. It
//! asks for the password, so that only who chose it gets the account.

use actix_web::HttpResponse;
use askama::Template;
use kuraka_app::{ClientNetwork, SignInError};

use super::new_password::{code, link_status, mails};
use crate::current_user::Visitor;
use crate::error::PageError;
use crate::form::VisitorForm;
use crate::layout::Layout;
use crate::{login_session, response};

#[derive(Template)]
#[template(path = "confirm.html")]
struct ConfirmPage {
    layout: Layout,
    /// Whether the link is used or old.
    is_void: bool,
    wrong: Option<&'static str>,
}

/// A program may open the link before its owner: it only shows a form.
pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    visitor.panel.form_rate.codes.take(&visitor.client_address().map(ClientNetwork::from))?;
    let is_void = !mails(&visitor)?.confirms(code(&visitor)).await?;
    page(&visitor, is_void, None)
}

pub(crate) async fn submit(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let confirmed = mails(&visitor)?.confirm(&visitor.panel.sign_in, code(&visitor), fields.text("password")).await;
    match confirmed {
        Ok(Some(logged_in)) => Ok(login_session::start(&visitor, &logged_in, "/panel")),
        Ok(None) => page(&visitor, true, None),
        Err(SignInError::Wrong) => page(&visitor, false, Some("La contraseña no es correcta. Es la de su cuenta.")),
        // Since the link was sent.
        Err(SignInError::Taken) => page(&visitor, false, Some("Este correo ya tiene otra cuenta.")),
        Err(error) => Err(error.into()),
    }
}

fn page(visitor: &Visitor, is_void: bool, wrong: Option<&'static str>) -> Result<HttpResponse, PageError> {
    let status = link_status(is_void, wrong.is_some());
    login_session::page_with_form(visitor, |layout| response::page(status, &ConfirmPage { layout, is_void, wrong }))
}
