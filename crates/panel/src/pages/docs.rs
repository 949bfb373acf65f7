//! `GET /docs`: the documentation of the API.

mod fields;

use std::sync::OnceLock;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, LOCATION};
use askama::Template;
use kuraka_api::{CodeDescription, Operation};
use kuraka_domain::{DomicileCondition, ResultCode, TaxpayerStatus, VoucherStatus};

use self::fields::Field;
use crate::current_user::Visitor;
use crate::error::PageError;
use crate::layout::Layout;
use crate::pages::snippets::{Snippet, all_snippets};
use crate::panel::Panel;
use crate::response;

#[derive(Template)]
#[template(path = "docs.html")]
struct DocsPage<'a> {
    layout: Layout,
    sign_up: bool,
    base_url: String,
    operations: &'a [Documented],
    /// With the queries that each costs.
    choices: Vec<(&'static Choice, u64)>,
    snippets: Vec<Snippet>,
    /// With whether a call that ends so costs its queries.
    codes: Vec<(&'a CodeDescription, bool)>,
}

/// The tables of the fields of every operation, made at the first visit.
#[derive(Default)]
pub struct Documentation(OnceLock<Vec<Documented>>);

/// An operation with the tables of its fields.
struct Documented {
    operation: &'static Operation,
    /// Title and rows; no table is empty.
    tables: Vec<(&'static str, Vec<Field>)>,
}

/// A need, and the operation for it.
struct Choice {
    need: &'static str,
    operation: &'static str,
    /// Of when the answer is.
    freshness: &'static str,
    /// How long it takes at most.
    time: &'static str,
}

const CHOICES: [Choice; 4] = [
    Choice {
        need: "Saber quién es, si está activo y habido, y dónde queda",
        operation: "ruc",
        freshness: "del padrón, que la SUNAT publica cada día",
        time: "milésimas de segundo",
    },
    Choice {
        need: "Todo lo publicado: padrones, locales anexos, actividades, trabajadores, sanciones",
        operation: "ruc-ficha",
        freshness: "de archivos diarios a mensuales; cada uno dice su día en fuentes",
        time: "milésimas de segundo",
    },
    Choice {
        need: "El detalle de hoy: actividades, fechas, comprobantes autorizados",
        operation: "ruc-official",
        freshness: "del momento, o de hace pocos minutos (cached)",
        time: "10 segundos",
    },
    Choice {
        need: "Saber si un comprobante es válido",
        operation: "cpe",
        freshness: "del momento; nada se guarda",
        time: "8 segundos",
    },
];

/// `GET /docs/`: redirects to `/docs`.
pub(crate) async fn without_slash() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static("/docs"))).finish()
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let (site, panel) = (&visitor.panel.site, &visitor.panel);
    let base_url = site.url(&visitor.request);
    let choice = |choice: &'static Choice| {
        let operation = panel.operations.iter().find(|operation| operation.name == choice.operation)?;
        Some((choice, operation.cost))
    };
    let page = DocsPage {
        layout: visitor.layout(),
        sign_up: site.sign_up.is_some(),
        operations: panel.documentation.0.get_or_init(|| documented(panel)),
        choices: CHOICES.iter().filter_map(choice).collect(),
        snippets: all_snippets(&format!("{base_url}/ruc"), "{\"ruc\":\"20100119227\"}"),
        base_url,
        codes: panel.codes.iter().map(|described| (described, is_charged(described.code))).collect(),
    };
    Ok(response::page(StatusCode::OK, &page))
}

fn documented(panel: &Panel) -> Vec<Documented> {
    let document = kuraka_api::openapi::document(&panel.operations, &panel.codes);
    let one = |operation: &&'static Operation| {
        let tables = [
            ("Campos que se envían", fields::sent(&document, operation)),
            ("Campos de data", fields::answered(&document, operation)),
        ];
        Documented { operation, tables: tables.into_iter().filter(|(_, fields)| !fields.is_empty()).collect() }
    };
    panel.operations.iter().map(one).collect()
}

/// Whether a call with this result costs its queries: it was charged before the result was known.
const fn is_charged(code: ResultCode) -> bool {
    matches!(
        code,
        ResultCode::Found | ResultCode::InvalidInput | ResultCode::DocumentNotFound | ResultCode::UpstreamUnavailable
    )
}
