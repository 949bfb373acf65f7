//! `/panel/cuenta`: the account page with its activity, its forms to change the password and to delete the account, and
//! what is stored about it.

use actix_web::HttpResponse;
use askama::Template;
use kuraka_app::SignInError;
use kuraka_ports::{Actor, AuditFilter, AuditLine, Certificate, Email};
use kuraka_tables::{TableForm, write_table};

use crate::account_data::account_data;
use crate::cookie::Cookie;
use crate::error::PageError;
use crate::large_answer::MAX_ANSWER_BYTES;
use crate::layout::{Layout, MenuItem};
use crate::pages::certificate::LISTED;
use crate::pages::{sign_up, upload};
use crate::request::{CurrentUser, Fields, UserForm};
use crate::{large_answer, login_session, response, spanish};

const SHOWN: u32 = 20;
const DOWNLOADED: u32 = 10_000;

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    layout: Layout,
    since: String,
    /// The word for the change that was made; may be empty.
    done: String,
    wrong: Option<Wrong>,
    /// Whether a new address is confirmed by a link.
    confirms: bool,
    certificates: Vec<Certificate>,
    lines: Vec<AuditLine>,
}

enum Wrong {
    Password(String),
    Email(String, &'static str),
}

#[derive(Template)]
#[template(path = "account_delete.html")]
struct DeletePage {
    layout: Layout,
    wrong: Option<&'static str>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    account_page(&user, Fields::from_query(&user.request).text("hecho"), None).await
}

pub(crate) async fn change_password(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let CurrentUser { panel, account, session, .. } = &user;
    let (current, new) = (fields.text("current"), fields.text("password"));
    let wrong = if current == new {
        "La contraseña nueva es igual a la actual. Elija otra.".to_owned()
    } else {
        match panel.sign_in.change_password(account, session, current, new).await {
            Ok(logged_in) => {
                return Ok(login_session::redirect(&panel.site, &logged_in, "/panel/cuenta?hecho=clave"));
            }
            Err(SignInError::Wrong) => "La contraseña actual no es correcta.".to_owned(),
            Err(SignInError::Weak(weak)) => sign_up::too_weak(weak),
            Err(error) => return Err(error.into()),
        }
    };
    account_page(&user, "", Some(Wrong::Password(wrong))).await
}

/// Changes the address. With a mail server the new address confirms it by a link, and the answer does not tell whether it
/// has an account.
pub(crate) async fn change_email(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let CurrentUser { panel, account, session, request } = &user;
    let (email, password) = (fields.text("email"), fields.text("current"));
    let is_same = Email::parse(email).is_ok_and(|email| email == account.email);
    let from = (panel.site.client_address)(request);
    let refused = |wrong| account_page(&user, "", Some(Wrong::Email(email.to_owned(), wrong)));
    let changed = match &panel.mails {
        _ if is_same => return refused("Su cuenta ya usa ese correo.").await,
        Some(mails) => {
            let asked = mails.request_address(&panel.sign_in, (account, session), email, password, from).await;
            asked.map(|()| response::redirect("/panel/cuenta?hecho=enlace"))
        }
        None => {
            let changed = panel.sign_in.change_email((account, session), password, email, from).await;
            changed.map(|logged_in| login_session::redirect(&panel.site, &logged_in, "/panel/cuenta?hecho=correo"))
        }
    };
    let wrong = match changed {
        Ok(response) => return Ok(response),
        Err(SignInError::Wrong) => "La contraseña no es correcta.",
        Err(SignInError::Email) => sign_up::NO_ADDRESS,
        Err(SignInError::Taken) => "No se puede usar ese correo: ya tiene una cuenta.",
        Err(error) => return Err(error.into()),
    };
    refused(wrong).await
}

pub(crate) async fn ask_to_delete(user: CurrentUser) -> HttpResponse {
    delete_page(&user, None)
}

pub(crate) async fn delete(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    match user.panel.sign_in.delete(&user.account, &user.session, fields.text("password")).await {
        Err(SignInError::Wrong) => {
            return Ok(delete_page(&user, Some("La contraseña no es correcta.")));
        }
        deleted => deleted?,
    }
    let mut response = response::redirect("/");
    for cookie in [Cookie::Session, Cookie::Device, Cookie::Seen] {
        cookie.forget(&user.panel.site, &mut response);
    }
    Ok(response)
}

/// `GET /panel/cuenta.csv`: the account's lines of the audit log.
pub(crate) async fn download_lines(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let lines = lines(&user, DOWNLOADED).await?;
    let heading = ["fecha", "accion", "objeto", "antes", "despues", "autor", "direccion", "navegador", "id"];
    let rows = lines.into_iter().map(|AuditLine { time, action, origin, object, before, after, .. }| {
        let address = origin.address.map(|address| address.to_string());
        let [before, after, address, agent, id] =
            [before, after, address, origin.agent, origin.request_id].map(Option::unwrap_or_default);
        let author = author(&origin.actor).to_owned();
        vec![time.to_string(), action, object, before, after, author, address, agent, id]
    });
    let csv = write_table(TableForm::Csv, &heading, &[], rows);
    let csv = csv.map_err(|_| PageError::Internal("the lines could not be written"))?;
    large_answer::file(&user, None, "text/csv; charset=utf-8", "kuraka-actividad.csv", &csv)
}

/// `GET /panel/cuenta.json`: everything that is stored about the account.
pub(crate) async fn download_data(user: CurrentUser) -> Result<HttpResponse, PageError> {
    // Before it is read: lists may take much memory.
    let place = user.place()?.of_all()?;
    let tables = user.panel.sign_in.accounts.stored_data(user.account.id).await?;
    let data = upload::large(move || account_data(tables, MAX_ANSWER_BYTES)).await?.ok_or(PageError::LongData)?;
    large_answer::file(&user, Some(place), "application/json", "kuraka-cuenta.json", data.as_bytes())
}

/// The newest last, without the address and browser of an operator.
async fn lines(user: &CurrentUser, most: u32) -> Result<Vec<AuditLine>, PageError> {
    let filter = AuditFilter { account: Some(user.account.id), newest: true, ..AuditFilter::default() };
    let mut lines = user.panel.audit.lines(&filter, most).await?;
    for line in lines.iter_mut().filter(|line| matches!(line.origin.actor, Actor::Operator(_))) {
        (line.origin.address, line.origin.agent) = (None, None);
    }
    Ok(lines)
}

const fn author(actor: &Actor) -> &'static str {
    match actor {
        Actor::Account => "usted",
        Actor::Operator(_) | Actor::Command(_) => "el operador",
        Actor::System => "el servidor",
    }
}

/// What a line of the audit log is about, after its action.
pub(super) fn about(line: &AuditLine) -> String {
    let number = line.object.split_once(' ').map(|(_, number)| number);
    let number = number.filter(|_| line.object.starts_with("token ") || line.object.starts_with("webhook "));
    let number = number.map(|number| format!(" {number}")).unwrap_or_default();
    let [before, after] = [&line.before, &line.after].map(|value| value.as_deref().map(|text| value_of(line, text)));
    let values = match (before, after) {
        (Some(before), Some(after)) => format!(": {before} → {after}"),
        (None, Some(after)) => format!(": {after}"),
        (_, None) => String::new(),
    };
    format!("{number}{values}")
}

pub(super) fn address(line: &AuditLine) -> String {
    line.origin.address.map_or_else(|| "—".to_owned(), |address| address.to_string())
}

/// A stored value, which is a word for statuses.
fn value_of<'a>(line: &AuditLine, value: &'a str) -> &'a str {
    match value {
        _ if !line.action.ends_with(".set_status")
            && !["webhook.disable", "account.set_digest"].contains(&&*line.action) =>
        {
            value
        }
        "off" => "ninguno",
        "daily" => "uno al día",
        "immediate" => "con cada publicación",
        "active" => "en uso",
        "suspended" => "suspendida",
        "unconfirmed" => "sin confirmar",
        "paused" => "en pausa",
        "failed" => "cinco días sin una entrega",
        "gone" => "su dirección ya no existe",
        other => other,
    }
}

async fn account_page(user: &CurrentUser, done: &str, wrong: Option<Wrong>) -> Result<HttpResponse, PageError> {
    let (since, done) = (spanish::day_of(user.account.created), done.to_owned());
    let certificates = user.panel.certificates.store.certificates(user.account.id, LISTED).await?;
    let layout = user.layout(MenuItem::ACCOUNT);
    let mut lines = lines(user, SHOWN).await?;
    lines.reverse();
    let confirms = user.panel.mails.is_some();
    let page = AccountPage { layout, since, done, wrong, confirms, certificates, lines };
    Ok(response::form(page.wrong.is_some(), &page))
}

fn delete_page(user: &CurrentUser, wrong: Option<&'static str>) -> HttpResponse {
    response::form(wrong.is_some(), &DeletePage { layout: user.layout(MenuItem::ACCOUNT), wrong })
}
