//! `GET /panel/cuenta`, and its two forms: another password, and the end of the account.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::ChangePasswordError::{Current, New};
use kuraka_app::{SignInError, SignUpError};

use crate::cookie::Cookie;
use crate::fields::Fields;
use crate::frame::{Frame, Place};
use crate::pages::sign_up;
use crate::problem::Problem;
use crate::submission::Submission;
use crate::visit::Visit;
use crate::{page, spanish};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Frame,
    since: String,
    done: Option<&'static str>,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "account_delete.html")]
struct DeletePage {
    frame: Frame,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(visit: Visit) -> HttpResponse {
    let done = match Fields::of_query(&visit.request).text("hecho") {
        "clave" => Some("Su contraseña cambió, y las demás sesiones se cerraron."),
        _ => None,
    };
    account_page(&visit, StatusCode::OK, done, None)
}

pub(crate) async fn change_password(form: Submission) -> Result<HttpResponse, Problem> {
    let Submission { visit, fields } = form;
    let Visit { panel, account, .. } = &visit;
    let (current, new) = (fields.text("current"), fields.text("password"));
    let wrong = match panel.sign_in.change_password(account, current, new, visit.client_address()).await {
        Ok(session) => {
            let mut response = page::elsewhere("/panel/cuenta?hecho=clave");
            Cookie::Session.set(&panel.site, session.reveal(), &mut response);
            return Ok(response);
        }
        Err(Current(not_confirmed)) => {
            wrong_password(not_confirmed, "La contraseña actual no es correcta.")?.to_owned()
        }
        Err(New(SignUpError::Throttled(throttled))) => return Err(throttled.into()),
        Err(New(SignUpError::Store(error))) => return Err(error.into()),
        Err(New(SignUpError::Weak(weak))) => sign_up::too_weak(weak),
        Err(New(SignUpError::Busy | SignUpError::Email | SignUpError::Taken)) => return Err(Problem::Busy),
    };
    Ok(account_page(&visit, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong)))
}

pub(crate) async fn ask_to_delete(visit: Visit) -> HttpResponse {
    delete_page(&visit, StatusCode::OK, None)
}

pub(crate) async fn delete(form: Submission) -> Result<HttpResponse, Problem> {
    let Submission { visit, fields } = form;
    let deleted = visit.panel.sign_in.delete(&visit.account, fields.text("password"), visit.client_address()).await;
    if let Err(not_confirmed) = deleted {
        let wrong = wrong_password(not_confirmed, "La contraseña no es correcta.")?;
        return Ok(delete_page(&visit, StatusCode::UNPROCESSABLE_ENTITY, Some(wrong)));
    }
    let mut response = page::elsewhere("/");
    Cookie::Session.forget(&visit.panel.site, &mut response);
    Ok(response)
}

/// The words for a wrong password; what else can be is a problem of its own.
fn wrong_password(error: SignInError, words: &'static str) -> Result<&'static str, Problem> {
    match error {
        SignInError::Wrong => Ok(words),
        SignInError::Throttled(throttled) => Err(throttled.into()),
        SignInError::Busy => Err(Problem::Busy),
        SignInError::Store(error) => Err(error.into()),
    }
}

fn account_page(visit: &Visit, status: StatusCode, done: Option<&'static str>, wrong: Option<String>) -> HttpResponse {
    let since = spanish::day_of(visit.account.created);
    page::html(status, &AccountPage { frame: visit.frame(Place::Account), since, done, wrong })
}

fn delete_page(visit: &Visit, status: StatusCode, wrong: Option<&'static str>) -> HttpResponse {
    page::html(status, &DeletePage { frame: visit.frame(Place::Account), wrong })
}
