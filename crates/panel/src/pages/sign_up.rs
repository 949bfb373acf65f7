//! `GET` and `POST /registro`: a new account, which is signed in at once.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignUpError;
use kuraka_app::password_rules::{LONGEST, SHORTEST, WeakPassword};

use crate::frame::Frame;
use crate::problem::Problem;
use crate::submission::OpenSubmission;
use crate::visit::Guest;
use crate::{door, page};

#[derive(Template)]
#[template(path = "sign_up.html")]
struct SignUpPage {
    frame: Frame,
    form_token: String,
    open: bool,
    email: String,
    wrong: Option<String>,
}

pub(crate) async fn show(guest: Guest) -> Result<HttpResponse, Problem> {
    if guest.visit.is_some() {
        return Ok(page::elsewhere("/panel"));
    }
    answer(&guest, StatusCode::OK, String::new(), None)
}

pub(crate) async fn submit(form: OpenSubmission) -> Result<HttpResponse, Problem> {
    let OpenSubmission { guest, fields } = form;
    let site = &guest.panel.site;
    let Some(plan) = &site.sign_up else { return answer(&guest, StatusCode::FORBIDDEN, String::new(), None) };
    let (email, password) = (fields.text("email"), fields.text("password"));
    let from = (site.client_address)(&guest.request);
    let wrong = match guest.panel.sign_in.sign_up(email, password, plan, from).await {
        Ok(session) => {
            door::leave(&guest).await?;
            return Ok(door::enter(&guest, &session));
        }
        Err(SignUpError::Throttled(throttled)) => return Err(throttled.into()),
        Err(SignUpError::Busy) => return Err(Problem::Busy),
        Err(SignUpError::Store(error)) => return Err(error.into()),
        Err(SignUpError::Email) => "Revise el correo: debe parecerse a nombre@ejemplo.pe.".to_owned(),
        Err(SignUpError::Taken) => {
            "No se puede crear una cuenta con ese correo. Si es suyo, ingrese con su contraseña.".to_owned()
        }
        Err(SignUpError::Weak(weak)) => too_weak(weak),
    };
    answer(&guest, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), Some(wrong))
}

fn answer(guest: &Guest, status: StatusCode, email: String, wrong: Option<String>) -> Result<HttpResponse, Problem> {
    door::with_form(guest, |form_token| {
        let open = guest.panel.site.sign_up.is_some();
        page::html(status, &SignUpPage { frame: Frame::outside(), form_token, open, email, wrong })
    })
}

/// Why a password is not taken, and what to do.
pub(crate) fn too_weak(weak: WeakPassword) -> String {
    match weak {
        WeakPassword::Short { .. } => format!("La contraseña necesita al menos {SHORTEST} caracteres."),
        WeakPassword::Long { .. } => format!("La contraseña puede tener a lo más {LONGEST} caracteres."),
        WeakPassword::Common => {
            "Esa contraseña es demasiado fácil de adivinar. Elija otra, por ejemplo una frase.".to_owned()
        }
    }
}
