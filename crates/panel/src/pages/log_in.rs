//! `GET` and `POST /ingresar`: the log-in form. `POST /salir`: logging out.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignInError;
use kuraka_domain::Ruc;

use crate::cookie::Cookie;
use crate::current_user::Visitor;
use crate::error::PageError;
use crate::fields::Fields;
use crate::form::{UserForm, VisitorForm};
use crate::layout::Layout;
use crate::{login_session, response};

#[derive(Template)]
#[template(path = "log_in.html")]
struct LogInPage {
    layout: Layout,
    form_token: String,
    sign_up: bool,
    email: String,
    /// The RUC of a sheet requested without a session, or empty.
    ruc: String,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    if visitor.user.is_some() {
        return Ok(response::redirect("/panel"));
    }
    let ruc = requested(&Fields::from_query(&visitor.request));
    log_in_page(&visitor, StatusCode::OK, String::new(), ruc, None)
}

pub(crate) async fn submit(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let (email, password) = (fields.text("email"), fields.text("password"));
    let device = Cookie::Device.read(&visitor.request, &visitor.panel.site);
    let ruc = requested(&fields);
    let (from, replaced) = (visitor.client_address(), visitor.session());
    match visitor.panel.sign_in.log_in(email, password, from, device, replaced).await {
        Ok(logged_in) => {
            // The owner confirms the sheet: another site may have opened it.
            let page = ruc.map_or_else(|| "/panel".to_owned(), |ruc| format!("/panel/consultar?ruc={ruc}"));
            Ok(login_session::start(&visitor, &logged_in, &page))
        }
        Err(SignInError::Wrong) => {
            // The same text whether the account exists or not.
            let wrong = Some("El correo o la contraseña no es correcto.");
            log_in_page(&visitor, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), ruc, wrong)
        }
        Err(SignInError::Suspended) => {
            let suspended = Some("La cuenta está suspendida. Comuníquese con el operador del servicio.");
            log_in_page(&visitor, StatusCode::FORBIDDEN, email.to_owned(), ruc, suspended)
        }
        Err(error) => Err(error.into()),
    }
}

/// Ends the session on the server and in the browser.
pub(crate) async fn log_out(form: UserForm) -> Result<HttpResponse, PageError> {
    let panel = &form.user.panel;
    panel.sign_in.log_out(&form.user.session).await?;
    let mut response = response::redirect("/");
    Cookie::Session.forget(&panel.site, &mut response);
    Ok(response)
}

/// The RUC of a sheet requested without a session.
fn requested(fields: &Fields) -> Option<Ruc> {
    Ruc::parse(fields.text("ruc")).ok()
}

fn log_in_page(
    visitor: &Visitor,
    status: StatusCode,
    email: String,
    ruc: Option<Ruc>,
    wrong: Option<&'static str>,
) -> Result<HttpResponse, PageError> {
    login_session::page_with_form(visitor, |form_token| {
        let sign_up = visitor.panel.site.sign_up.is_some();
        let ruc = ruc.map_or_else(String::new, |ruc| ruc.to_string());
        response::page(status, &LogInPage { layout: Layout::public(), form_token, sign_up, email, ruc, wrong })
    })
}
