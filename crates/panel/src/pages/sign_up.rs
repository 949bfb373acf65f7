//! `GET` and `POST /registro`: the sign-up form. A new account is signed in at once, or confirms its address first; then
//! the answer does not tell whether the address has an account.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignInError;
use kuraka_app::password_rules::{MAX_CHARS, MIN_CHARS, WeakPasswordError};

use crate::error::PageError;
use crate::layout::Layout;
use crate::request::{Visitor, VisitorForm};
use crate::{login_session, response};

pub(crate) const NO_ADDRESS: &str = "Revise el correo: debe parecerse a nombre@ejemplo.pe.";

#[derive(Template)]
#[template(path = "signed_up.html")]
struct SignedUpPage {
    layout: Layout,
}

#[derive(Template)]
#[template(path = "sign_up.html")]
struct SignUpPage {
    layout: Layout,
    email: String,
    wrong: Option<String>,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    if visitor.user.is_some() {
        return Ok(response::redirect("/panel"));
    }
    sign_up_page(&visitor, StatusCode::OK, String::new(), None)
}

pub(crate) async fn submit(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let Some(plan) = &visitor.panel.site.sign_up else {
        return sign_up_page(&visitor, StatusCode::FORBIDDEN, String::new(), None);
    };
    let (email, password) = (fields.text("email"), fields.text("password"));
    let (from, replaced) = (visitor.client_address(), visitor.session());
    let sign_in = &visitor.panel.sign_in;
    let signed_up = match &visitor.panel.mails {
        Some(mails) if visitor.panel.site.confirm_address => {
            let page = SignedUpPage { layout: Layout::public(&visitor.panel.site) };
            mails.sign_up(sign_in, email, password, plan, from).await.map(|()| response::page(StatusCode::OK, &page))
        }
        Some(_) | None => {
            let logged_in = sign_in.sign_up(email, password, plan, from, replaced).await;
            logged_in.map(|logged_in| login_session::start(&visitor, &logged_in, "/panel"))
        }
    };
    let wrong = match signed_up {
        Ok(response) => return Ok(response),
        Err(SignInError::Email) => NO_ADDRESS.to_owned(),
        Err(SignInError::Taken) => {
            "No se puede crear una cuenta con ese correo. Si es suyo, ingrese con su contraseña.".to_owned()
        }
        Err(SignInError::Weak(weak)) => too_weak(weak),
        Err(error) => return Err(error.into()),
    };
    sign_up_page(&visitor, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), Some(wrong))
}

fn sign_up_page(
    visitor: &Visitor,
    status: StatusCode,
    email: String,
    wrong: Option<String>,
) -> Result<HttpResponse, PageError> {
    login_session::page_with_form(visitor, |layout| response::page(status, &SignUpPage { layout, email, wrong }))
}

/// Why a password is refused, for the user.
pub(crate) fn too_weak(weak: WeakPasswordError) -> String {
    match weak {
        WeakPasswordError::Short { .. } => format!("La contraseña necesita al menos {MIN_CHARS} caracteres."),
        WeakPasswordError::Long { .. } => format!("La contraseña puede tener a lo más {MAX_CHARS} caracteres."),
        WeakPasswordError::Common => {
            "Esa contraseña es demasiado fácil de adivinar. Elija otra, por ejemplo una frase.".to_owned()
        }
    }
}
