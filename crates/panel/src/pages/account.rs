//! `GET /panel/cuenta`, and its two forms: another password, and the end of the account.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::cookie::Cookie;
use crate::frame::{Frame, Place};
use crate::problem::Problem;
use crate::stub::{LogInError, SignUpError};
use crate::submission::Submission;
use crate::visit::Visit;
use crate::{page, spanish};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    since: String,
    wrong: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "account_delete.html")]
struct DeletePage {
    frame: Frame,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(visit: Visit) -> HttpResponse {
    account_page(&visit, StatusCode::OK, None)
}

pub(crate) async fn change_password(form: Submission) -> Result<HttpResponse, Problem> {
    let Submission { visit, fields } = form;
    let (current, new) = (fields.text("current"), fields.text("password"));
    let wrong = match visit.panel.desk.change_password(visit.account.id, current, new).await {
        Ok(()) => return Ok(out(&visit, "/ingresar?hecho=clave")),
        Err(SignUpError::TooMany(retry_after)) => return Err(Problem::TooMany { retry_after }),
        Err(SignUpError::Busy) => return Err(Problem::Busy),
        Err(SignUpError::Store(error)) => return Err(error.into()),
        Err(SignUpError::Taken | SignUpError::Email) => "La contraseña actual no es correcta.",
        Err(SignUpError::Short) => "La contraseña nueva necesita al menos 8 caracteres.",
        Err(SignUpError::Long) => "La contraseña nueva puede tener a lo más 128 caracteres.",
        Err(SignUpError::Common) => "Esa contraseña es demasiado fácil de adivinar. Elija otra, por ejemplo una frase.",
    };
    Ok(account_page(&visit, StatusCode::UNPROCESSABLE_ENTITY, Some(wrong)))
}

pub(crate) async fn ask_to_delete(visit: Visit) -> HttpResponse {
    delete_page(&visit, StatusCode::OK, None)
}

pub(crate) async fn delete(form: Submission) -> Result<HttpResponse, Problem> {
    let Submission { visit, fields } = form;
    match visit.panel.desk.delete(visit.account.id, fields.text("password")).await {
        Ok(_) => Ok(out(&visit, "/")),
        Err(LogInError::TooMany(retry_after)) => Err(Problem::TooMany { retry_after }),
        Err(LogInError::Busy) => Err(Problem::Busy),
        Err(LogInError::Store(error)) => Err(error.into()),
        Err(LogInError::Wrong) => {
            Ok(delete_page(&visit, StatusCode::UNPROCESSABLE_ENTITY, Some("La contraseña no es correcta.")))
        }
    }
}

fn account_page(visit: &Visit, status: StatusCode, wrong: Option<&'static str>) -> HttpResponse {
    let since = spanish::day_of(visit.account.created);
    page::html(status, &AccountPage { frame: visit.frame(Place::Account), since, wrong })
}

fn delete_page(visit: &Visit, status: StatusCode, wrong: Option<&'static str>) -> HttpResponse {
    page::html(status, &DeletePage { frame: visit.frame(Place::Account), wrong })
}

/// Away from the panel, after the session ended.
fn out(visit: &Visit, path: &'static str) -> HttpResponse {
    let mut response = page::elsewhere(path);
    Cookie::Session.forget(&visit.panel.site, &mut response);
    response
}
