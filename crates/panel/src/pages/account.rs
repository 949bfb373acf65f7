//! `/panel/cuenta`: the account page, and its forms to change the password and to delete the account.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignInError;
use kuraka_ports::Certificate;

use crate::cookie::Cookie;
use crate::current_user::CurrentUser;
use crate::error::PageError;
use crate::fields::Fields;
use crate::form::UserForm;
use crate::layout::{Layout, MenuItem};
use crate::pages::certificate::LISTED;
use crate::pages::sign_up;
use crate::{login_session, response, spanish};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    layout: Layout,
    since: String,
    done: Option<&'static str>,
    wrong: Option<String>,
    certificates: Vec<Certificate>,
}

#[derive(Template)]
#[template(path = "account_delete.html")]
struct DeletePage {
    layout: Layout,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let done = match Fields::from_query(&user.request).text("hecho") {
        "clave" => Some("Su contraseña cambió, y las demás sesiones se cerraron."),
        "constancia" => Some("La constancia se eliminó: su código ya no muestra nada."),
        _ => None,
    };
    account_page(&user, StatusCode::OK, done, None).await
}

pub(crate) async fn change_password(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let CurrentUser { panel, account, session, .. } = &user;
    let (current, new) = (fields.text("current"), fields.text("password"));
    if current == new {
        let wrong = "La contraseña nueva es igual a la actual. Elija otra.".to_owned();
        return account_page(&user, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong)).await;
    }
    let wrong = match panel.sign_in.change_password(account, session, current, new).await {
        Ok(logged_in) => {
            let mut response = response::redirect("/panel/cuenta?hecho=clave");
            login_session::set_cookies(&panel.site, &logged_in, &mut response);
            return Ok(response);
        }
        Err(SignInError::Wrong) => "La contraseña actual no es correcta.".to_owned(),
        Err(SignInError::Weak(weak)) => sign_up::too_weak(weak),
        Err(error) => return Err(error.into()),
    };
    account_page(&user, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong)).await
}

pub(crate) async fn ask_to_delete(user: CurrentUser) -> HttpResponse {
    delete_page(&user, StatusCode::OK, None)
}

pub(crate) async fn delete(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    match user.panel.sign_in.delete(&user.account, &user.session, fields.text("password")).await {
        Err(SignInError::Wrong) => {
            let wrong = Some("La contraseña no es correcta.");
            return Ok(delete_page(&user, StatusCode::UNPROCESSABLE_ENTITY, wrong));
        }
        deleted => deleted?,
    }
    let mut response = response::redirect("/");
    for cookie in [Cookie::Session, Cookie::Device, Cookie::Seen] {
        cookie.forget(&user.panel.site, &mut response);
    }
    Ok(response)
}

async fn account_page(
    user: &CurrentUser,
    status: StatusCode,
    done: Option<&'static str>,
    wrong: Option<String>,
) -> Result<HttpResponse, PageError> {
    let since = spanish::day_of(user.account.created);
    let certificates = user.panel.certificates.store.certificates(user.account.id, LISTED).await?;
    let layout = user.layout(MenuItem::ACCOUNT);
    Ok(response::page(status, &AccountPage { layout, since, done, wrong, certificates }))
}

fn delete_page(user: &CurrentUser, status: StatusCode, wrong: Option<&'static str>) -> HttpResponse {
    response::page(status, &DeletePage { layout: user.layout(MenuItem::ACCOUNT), wrong })
}
