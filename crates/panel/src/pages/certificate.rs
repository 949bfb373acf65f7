//! `POST /panel/constancia`: certifies what the server answered about a RUC or a kept list. `GET /constancia/{code}`: shows
//! the certificate without a log-in. The form gives the office's name only.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use jiff::Timestamp;
use kuraka_app::ClientNetwork;
use kuraka_domain::{ResultCode, Ruc};
use kuraka_ports::{AccountId, CertificateCode, EditionOrigin, ListId, StoreErrorKind};

use super::certificate_content::Content;
use super::list;
use super::packed_json::{pack, unpack};
use super::sheet::{self, Found, no_sheet};
use super::status_summary::Severity;
use super::upload::large;
use crate::error::PageError;
use crate::layout::Layout;
use crate::panel::is_demo;
use crate::request::{self, CurrentUser, UserForm};
use crate::{large_answer, response};

/// Characters of the office's name.
const OFFICE: usize = 80;
/// Certificates in the account's page.
pub(super) const LISTED: u32 = 200;

#[derive(Template)]
#[template(path = "certificate.html")]
struct CertificatePage {
    layout: Layout,
    content: Content,
    code: CertificateCode,
    created: Timestamp,
    url: String,
}

impl CertificatePage {
    fn asked(&self) -> Timestamp {
        Timestamp::from_second(self.content.asked_at).unwrap_or(self.created)
    }
}

pub(crate) async fn make(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let office = fields.text("oficina").trim();
    if !is_plain(office) {
        let text =
            "Admite hasta 80 letras, dígitos, espacios y signos como . , - & ' ( ). No se descontó ninguna consulta.";
        return Ok(refused(&user, "El nombre de la oficina no es válido", office, text));
    }
    let mut title = String::new();
    let (content, call) = if fields.text("lista").is_empty() {
        match of_ruc(&user, fields.text("ruc").trim(), fields.text("fecha")).await? {
            Ok((content, found)) => (content, Some(found.call)),
            Err(page) => return Ok(page),
        }
    } else {
        let id = ListId::parse(fields.text("lista")).ok_or(PageError::NotFound)?;
        let list = user.panel.lists.store.list(user.account.id, id).await?.ok_or(PageError::NotFound)?;
        let Some(content) = list::certified(&user, &list).await?.filter(|content| !content.rows.is_empty()) else {
            let text = "La lista no tiene resultados que certificar, o todavía se está consultando.";
            return Ok(refused(&user, "No hay qué certificar", "", text));
        };
        title = list::title(&list);
        let is_demo = is_demo(&user.panel.datasets.statuses());
        (Content { is_demo, ..content }, None)
    };
    let content = Content { office: office.to_owned(), ..content };
    let title = content.title(&title);
    let packing = large(move || pack(&content)).await?;
    let bytes = packing.ok_or(PageError::Internal("a certificate cannot be written"))?;
    match user.panel.certificates.issue(user.account.id, title, &bytes).await {
        Ok(code) => Ok(response::redirect(&format!("/constancia/{code}"))),
        Err(error) => {
            if let Some(call) = call {
                call.refund();
            }
            if error.kind != StoreErrorKind::LimitReached {
                return Err(error.into());
            }
            let text = "Su cuenta guarda hasta 16 MB de constancias. Elimine en Cuenta las que no necesite. No se \
                        descontó ninguna consulta.";
            Ok(refused(&user, "No cabe otra constancia", "", text))
        }
    }
}

/// What is known of a RUC, today or on a day; or the page that says why it is not.
async fn of_ruc<'a>(
    user: &'a CurrentUser,
    typed: &str,
    asked: &str,
) -> Result<Result<(Content, Found<'a>), HttpResponse>, PageError> {
    let ruc = match Ruc::parse(typed) {
        Ok(ruc) => ruc,
        Err(error) => return Ok(Err(sheet::no_ruc(user, typed, &error))),
    };
    let found = match sheet::look_up(user, ruc, asked, 1).await? {
        Ok(found) => found,
        Err(page) => return Ok(Err(page)),
    };
    match list::certified_taxpayer(&user.panel, &found.batch, (ruc, found.date)) {
        Ok(mut content) => {
            for row in content.rows.iter_mut().filter(|row| row.name.is_empty()) {
                row.name.clone_from(&found.profile.summary.name);
            }
            let is_demo = found.batch.snapshot.edition().origin == EditionOrigin::Sample;
            Ok(Ok((Content { is_demo, ..content }, found)))
        }
        Err(why) => {
            found.call.end(ResultCode::DateNotCovered, None);
            let text = format!("{why} No se descontó ninguna consulta.");
            Ok(Err(refused(user, "No se sabe qué era ese día", typed, &text)))
        }
    }
}

/// A wrong code and a deleted one have the same answer.
pub(crate) async fn show(request: HttpRequest) -> Result<HttpResponse, PageError> {
    let panel = request::panel(&request)?;
    panel.form_rate.codes.take(&(panel.site.client_address)(&request).map(ClientNetwork::from))?;
    let code = request.match_info().get("code").and_then(CertificateCode::parse).ok_or(PageError::NotFound)?;
    let (certificate, bytes) = panel.certificates.find(code).await?.ok_or(PageError::NotFound)?;
    let content = large(move || unpack::<Content>(&bytes)).await?;
    let page = CertificatePage {
        layout: Layout::public(&panel.site),
        content: content.ok_or(PageError::Internal("a certificate cannot be read"))?,
        code,
        created: certificate.created,
        url: format!("{}/constancia/{code}", panel.site.url(&request)),
    };
    // Account 0 does not exist: all readers without a log-in share its places.
    let place = || Ok(panel.places.take(AccountId(0)).ok_or(PageError::Busy)?.of_all()?);
    large_answer::public_page(place, &page)
}

pub(crate) async fn delete(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let code = CertificateCode::parse(fields.text("codigo")).ok_or(PageError::NotFound)?;
    if !user.panel.certificates.store.delete_certificate(user.account.id, code).await? {
        return Err(PageError::NotFound);
    }
    Ok(response::redirect("/panel/cuenta?hecho=constancia"))
}

/// Whether a name is plain text, which cannot look like anything else on the page.
fn is_plain(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || " .,-&'()/°º".contains(c);
    name.chars().count() <= OFFICE && name.chars().all(is_plain)
}

fn refused(user: &CurrentUser, title: &'static str, typed: &str, text: &str) -> HttpResponse {
    no_sheet(user, StatusCode::UNPROCESSABLE_ENTITY, (Severity::Warn, title), typed, text.to_owned(), None)
}
