//! `GET` and `POST /registro`: a new account, which is signed in at once.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::frame::Frame;
use crate::problem::Problem;
use crate::stub::SignUpError;
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
    wrong: Option<&'static str>,
}

pub(crate) async fn show(guest: Guest) -> Result<HttpResponse, Problem> {
    if guest.visit.is_some() {
        return Ok(page::elsewhere("/panel"));
    }
    answer(&guest, StatusCode::OK, String::new(), None)
}

pub(crate) async fn submit(form: OpenSubmission) -> Result<HttpResponse, Problem> {
    let OpenSubmission { guest, fields } = form;
    let panel = &guest.panel;
    if panel.site.sign_up.is_none() {
        return answer(&guest, StatusCode::FORBIDDEN, String::new(), None);
    }
    let (email, password) = (fields.text("email"), fields.text("password"));
    let wrong = match panel.desk.sign_up(email, password, (panel.site.client_address)(&guest.request)).await {
        Ok(session) => return Ok(door::enter(&guest, &session)),
        Err(SignUpError::TooMany(retry_after)) => return Err(Problem::TooMany { retry_after }),
        Err(SignUpError::Busy) => return Err(Problem::Busy),
        Err(SignUpError::Store(error)) => return Err(error.into()),
        Err(SignUpError::Email) => "Revise el correo: debe parecerse a nombre@ejemplo.pe.",
        Err(SignUpError::Taken) => {
            "No se puede crear una cuenta con ese correo. Si es suyo, ingrese con su contraseña."
        }
        Err(SignUpError::Short) => "La contraseña necesita al menos 8 caracteres.",
        Err(SignUpError::Long) => "La contraseña puede tener a lo más 128 caracteres.",
        Err(SignUpError::Common) => "Esa contraseña es demasiado fácil de adivinar. Elija otra, por ejemplo una frase.",
    };
    answer(&guest, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), Some(wrong))
}

fn answer(
    guest: &Guest,
    status: StatusCode,
    email: String,
    wrong: Option<&'static str>,
) -> Result<HttpResponse, Problem> {
    door::with_form(guest, |form_token| {
        let open = guest.panel.site.sign_up.is_some();
        page::html(status, &SignUpPage { frame: Frame::outside(), form_token, open, email, wrong })
    })
}
