//! `GET` and `POST /ingresar`: the log-in form. `POST /salir`: logging out.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_app::SignInError;

use crate::cookie::Cookie;
use crate::error::PageError;
use crate::layout::Layout;
use crate::request::{Fields, UserForm, Visitor, VisitorForm};
use crate::{login_session, response, return_page};

#[derive(Template)]
#[template(path = "log_in.html")]
struct LogInPage {
    layout: Layout,
    has_mail: bool,
    email: String,
    /// The page that was requested without a session, or empty.
    page: String,
    is_expired: bool,
    /// Whether a form was sent after the session's end.
    is_form_lost: bool,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    if visitor.user.is_some() {
        return Ok(response::redirect("/panel"));
    }
    let fields = Fields::from_query(&visitor.request);
    log_in_page(&visitor, StatusCode::OK, String::new(), &fields, None)
}

pub(crate) async fn submit(form: VisitorForm) -> Result<HttpResponse, PageError> {
    let VisitorForm { visitor, fields } = form;
    let (email, password) = (fields.text("email"), fields.text("password"));
    let device = Cookie::Device.read(&visitor.request, &visitor.panel.site);
    let (from, replaced) = (visitor.client_address(), visitor.session());
    match visitor.panel.sign_in.log_in(email, password, from, device, replaced).await {
        Ok(logged_in) => {
            let page = return_page::read(fields.text("volver"));
            Ok(login_session::start(&visitor, &logged_in, page.as_deref().unwrap_or("/panel")))
        }
        Err(SignInError::Wrong) => {
            // The same text whether the account exists or not.
            let wrong = if visitor.panel.site.confirm_address {
                "El correo o la contraseña no es correcto. Si acaba de crear la cuenta, confirme primero su correo con el \
                 enlace que le enviamos; si ya no lo tiene, cree la cuenta otra vez."
            } else {
                "El correo o la contraseña no es correcto."
            };
            let wrong = Some(wrong);
            log_in_page(&visitor, StatusCode::UNPROCESSABLE_ENTITY, email.to_owned(), &fields, wrong)
        }
        Err(SignInError::Suspended) => {
            let suspended = Some("La cuenta está suspendida. Comuníquese con el operador del servicio.");
            log_in_page(&visitor, StatusCode::FORBIDDEN, email.to_owned(), &fields, suspended)
        }
        Err(error) => Err(error.into()),
    }
}

pub(crate) async fn log_out(form: UserForm) -> Result<HttpResponse, PageError> {
    let panel = &form.user.panel;
    panel.sign_in.log_out(&form.user.session).await?;
    let mut response = response::redirect("/");
    Cookie::Session.forget(&panel.site, &mut response);
    Ok(response)
}

fn log_in_page(
    visitor: &Visitor,
    status: StatusCode,
    email: String,
    fields: &Fields,
    wrong: Option<&'static str>,
) -> Result<HttpResponse, PageError> {
    login_session::page_with_form(visitor, |layout| {
        let page = return_page::read(fields.text("volver")).unwrap_or_default();
        let is_expired =
            visitor.user.is_none() && Cookie::Session.read(&visitor.request, &visitor.panel.site).is_some();
        let is_form_lost = !fields.text("formulario").is_empty();
        let has_mail = visitor.panel.mails.is_some();
        let page = LogInPage { layout, has_mail, email, page, is_expired, is_form_lost, wrong };
        response::page(status, &page)
    })
}
