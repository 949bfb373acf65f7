//! `/panel/comprobante`: one voucher. Its XML or the text of its QR code fills the form, and nothing else of them is
//! kept; only the form, when it is sent, costs a query.

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use askama::Template;
use kuraka_api::cpe;
use kuraka_api::cpe_multiple::FIELDS;
use kuraka_api::spanish::rejected_voucher;
use kuraka_app::calendar;
use kuraka_domain::{Date, ResultCode, Ruc, Voucher, VoucherValidation};
use kuraka_ports::{SourceErrorKind, chain};
use kuraka_tables::{VoucherTexts, VoucherXmlError, XML_BYTES, voucher_fields, voucher_qr, voucher_xml};

use super::list;
use super::meaning::{self, Meaning, Of};
use super::status_summary::Severity;
use super::upload;
use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::panel::is_demo;
use crate::request::{CurrentUser, LargeForm};
use crate::{response, spanish};

/// An XML, and what a form has around it. A larger file gets the same message.
const FORM: usize = 2 * XML_BYTES;
const KINDS: [(&str, &str); 7] = [
    ("01", "Factura"),
    ("03", "Boleta de venta"),
    ("07", "Nota de crédito"),
    ("08", "Nota de débito"),
    ("04", "Liquidación de compra"),
    ("R1", "Recibo por honorarios"),
    ("R7", "Nota de crédito de recibo por honorarios"),
];

#[derive(Template)]
#[template(path = "voucher.html")]
struct VoucherPage {
    layout: Layout,
    fields: Vec<Field>,
    /// About what filled the form.
    note: Option<(Severity, String)>,
    /// Whether too few queries are left.
    is_exhausted: bool,
    answer: Option<VoucherAnswer>,
    /// The text of a QR code that was not read.
    qr: String,
    is_demo: bool,
}

struct Field {
    name: &'static str,
    label: &'static str,
    value: String,
    wrong: Option<String>,
}

impl Field {
    /// Whether it is this one of [`FIELDS`].
    fn is(&self, place: usize) -> bool {
        FIELDS.get(place) == Some(&self.name)
    }

    fn is_chosen(&self, code: &str) -> bool {
        self.value == code
    }

    /// A browser does not show other texts in a field of a date.
    fn is_date(&self) -> bool {
        self.is(4) && (self.value.is_empty() || Date::parse(&self.value).is_ok())
    }
}

#[derive(Default)]
struct VoucherAnswer {
    tone: Severity,
    title: Cow<'static, str>,
    asked: String,
    text: String,
    facts: Vec<(&'static str, Cow<'static, str>, Severity)>,
    meanings: Vec<(Cow<'static, str>, &'static Meaning)>,
    observations: Vec<String>,
    /// Of the issuer, on the day of issue.
    sheet: Option<(Ruc, Date)>,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    Ok(response::page(StatusCode::OK, &page(&user, Default::default())))
}

/// Fills the form, or asks about the voucher.
pub(crate) async fn submit(form: LargeForm<FORM>) -> Result<HttpResponse, PageError> {
    let LargeForm { user, fields, place } = form;
    let Some(mut fields) = fields else {
        let why = xml_error(VoucherXmlError::TooLarge);
        return Ok(not_filled(&user, StatusCode::PAYLOAD_TOO_LARGE, why, String::new()));
    };
    let qr = fields.text("qr").trim().to_owned();
    let read = match fields.file() {
        Some((_, bytes)) => {
            let read = upload::large(move || voucher_xml(&bytes)).await?;
            read.map_err(|error| xml_error(error).to_owned())
        }
        None if !qr.is_empty() => voucher_qr(&qr).ok_or_else(|| {
            "No es el texto del QR de un comprobante: RUC|tipo|serie|número|IGV|total|fecha y lo que siga.".to_owned()
        }),
        None if fields.texts().any(|(name, _)| name == "llenar") => {
            Err("Elija el XML o pegue el texto del QR.".to_owned())
        }
        None => {
            drop(place);
            return ask(&user, voucher_fields(FIELDS.map(|name| fields.text(name)))).await;
        }
    };
    Ok(match read {
        Ok(mut texts) => {
            // The form's list has no other kinds.
            let kind = &mut texts.fields[1];
            if !KINDS.iter().any(|(code, _)| code == kind) {
                kind.clear();
            }
            let note = Some(filled(&texts));
            response::page(StatusCode::OK, &VoucherPage { note, ..page(&user, texts.fields) })
        }
        Err(why) => not_filled(&user, StatusCode::UNPROCESSABLE_ENTITY, &why, qr),
    })
}

fn not_filled(user: &CurrentUser, status: StatusCode, why: &str, qr: String) -> HttpResponse {
    let note = Some((Severity::Bad, format!("{why} No se descontó ninguna consulta.")));
    response::page(status, &VoucherPage { note, qr, ..page(user, Default::default()) })
}

fn page(user: &CurrentUser, values: [String; FIELDS.len()]) -> VoucherPage {
    let named = FIELDS.into_iter().zip(list::LABELS).zip(values);
    let fields = named.map(|((name, label), value)| Field { name, label, value, wrong: None }).collect();
    let layout = user.layout(MenuItem::SEARCH);
    let is_demo = is_demo(&user.panel.datasets.statuses());
    VoucherPage { layout, fields, note: None, is_exhausted: false, answer: None, qr: String::new(), is_demo }
}

/// What was filled in, and what is missing.
fn filled(texts: &VoucherTexts) -> (Severity, String) {
    let missing = list::LABELS.iter().zip(&texts.fields).filter(|(_, text)| text.is_empty());
    let missing = missing.map(|(label, _)| label.to_lowercase()).collect::<Vec<_>>().join(", ");
    let why = if texts.has_two_currencies { " El total está en otra moneda que el comprobante." } else { "" };
    match missing.as_str() {
        "" => {
            (Severity::Good, "El formulario está lleno. Revíselo y pulse Consultar: todavía no se consultó.".to_owned())
        }
        _ => (Severity::Warn, format!("Complete lo que no se encontró: {missing}.{why} Todavía no se consultó.")),
    }
}

async fn ask(user: &CurrentUser, values: [String; FIELDS.len()]) -> Result<HttpResponse, PageError> {
    let panel = &user.panel;
    let read = list::read_fields(&values.each_ref().map(String::as_str), calendar::today(panel.clock.now()));
    let mut page = page(user, values);
    let voucher = match read {
        Ok(voucher) => voucher,
        Err((name, why)) => {
            for field in page.fields.iter_mut().filter(|field| field.name == name) {
                field.wrong = Some(format!("{why} No se descontó ninguna consulta."));
            }
            return Ok(response::page(StatusCode::UNPROCESSABLE_ENTITY, &page));
        }
    };
    let (call, _permit) = match user.call(&cpe::OPERATION, 1).await {
        Ok(admitted) => admitted,
        // What was typed stays.
        Err(error @ (PageError::Exhausted { .. } | PageError::TooFast { .. })) => {
            page.is_exhausted = matches!(error, PageError::Exhausted { .. });
            page.note = Some((Severity::Bad, error.text()));
            return Ok(response::page(error.status_code(), &page));
        }
        Err(error) => return Err(error),
    };
    let (status, answer) = match panel.validate_voucher.run(&call, voucher).await {
        Ok(answer) => {
            call.end(ResultCode::Found, None);
            let is_incapable = list::incapable(panel, &call, &[voucher]).contains(&voucher);
            (StatusCode::OK, validated(&voucher, &answer.validation, is_incapable))
        }
        Err(error) if error.kind == SourceErrorKind::Rejected => {
            call.end(ResultCode::InvalidInput, None);
            let text = format!("{} Se descontó una consulta.", rejected_voucher(error.reason.as_deref()));
            (StatusCode::UNPROCESSABLE_ENTITY, none(&voucher, Severity::Warn, "No es válido", text))
        }
        Err(error) => {
            call.refund();
            call.end(ResultCode::UpstreamUnavailable, Some(chain(&error)));
            let text = "No hubo una respuesta de la SUNAT. No significa nada sobre el comprobante. Vuelva a intentarlo en \
                        unos minutos. No se descontó ninguna consulta.";
            (
                StatusCode::SERVICE_UNAVAILABLE,
                none(&voucher, Severity::Unknown, "No se pudo averiguar", text.to_owned()),
            )
        }
    };
    page.answer = Some(answer);
    Ok(response::page(status, &page))
}

fn none(voucher: &Voucher, tone: Severity, title: &'static str, text: String) -> VoucherAnswer {
    let Voucher { issuer, kind, series, number, issued, total } = voucher;
    let (_, kind) = KINDS.into_iter().find(|(code, _)| *code == kind.code()).unwrap_or_default();
    let asked = format!("{kind} {series}-{number} de {issuer}, {}, total {total}", spanish::day(issued.date()));
    VoucherAnswer { tone, title: title.into(), asked, text, ..VoucherAnswer::default() }
}

/// The state, and whose fault a red is.
fn validated(voucher: &Voucher, validation: &VoucherValidation, is_incapable: bool) -> VoucherAnswer {
    let (words, tone) = (list::voucher_words(&validation.status), list::voucher_tone(&validation.status));
    let known = list::issuer_facts(validation, is_incapable);
    let titles =
        [(Of::Status, "Estado"), (Of::Condition, "Condición del domicilio"), (Of::Capacity, "Capacidad operativa")];
    let facts = titles.into_iter().filter_map(|(of, title)| {
        let fact = known.iter().find(|(found, ..)| *found == of);
        let unsaid = (of != Of::Capacity).then_some((title, Cow::Borrowed("La SUNAT no lo dice"), Severity::Unknown));
        fact.map(|(of, text, tone)| (title, meaning::written_out(*of, text), *tone)).or(unsaid)
    });
    let facts: Vec<_> = facts.collect();
    let red = known.iter().filter(|(.., tone)| *tone > Severity::Unknown).map(|(of, text, _)| (*of, *text));
    let red: Vec<(Of, &str)> = red.collect();
    let of_voucher = match tone {
        Severity::Good => "El comprobante está en orden.".to_owned(),
        Severity::Bad => "El problema está en el comprobante.".to_owned(),
        Severity::Plain | Severity::Note | Severity::Unknown | Severity::Warn => {
            format!("La SUNAT respondió con el código «{}», que este programa no conoce.", validation.status.code())
        }
    };
    let of_issuer = if !red.is_empty() {
        let found = red.iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" · ");
        format!("{} problema está en el emisor: {found}.", if tone == Severity::Good { "El" } else { "Otro" })
    } else if facts.iter().any(|(.., tone)| *tone == Severity::Unknown) {
        "La SUNAT no dice todo sobre el emisor en la fecha de emisión.".to_owned()
    } else {
        "Su emisor estaba en orden en la fecha de emisión.".to_owned()
    };
    let text = |(of, text)| Some((meaning::written_out(of, text), meaning::find(of, text)?));
    VoucherAnswer {
        title: words.into(),
        meanings: [(Of::Voucher, words)].into_iter().chain(red).filter_map(text).collect(),
        facts,
        observations: validation.observations.iter().map(|text| list::observation(text)).collect(),
        sheet: Some((voucher.issuer, voucher.issued.date())),
        ..none(voucher, tone, "", format!("{of_voucher} {of_issuer}"))
    }
}

fn xml_error(error: VoucherXmlError) -> &'static str {
    match error {
        VoucherXmlError::TooLarge => "El XML tiene más de 1 MB.",
        VoucherXmlError::NotXml => "El archivo no es XML, o está dañado. Si es un ZIP, descomprímalo y elija el XML.",
        VoucherXmlError::Unsafe => "El XML tiene una DTD o entidades, que un comprobante no lleva: no se leyó.",
        VoucherXmlError::Receipt => {
            "Es la constancia de recepción de la SUNAT (CDR), no el comprobante. Elija el XML del comprobante."
        }
        VoucherXmlError::Container => {
            "Es un contenedor (AttachedDocument), no el comprobante. Elija el XML del comprobante que va dentro."
        }
        VoucherXmlError::OtherDocument => "El XML no es de una factura, boleta, nota de crédito o nota de débito.",
    }
}
