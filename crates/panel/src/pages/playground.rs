//! `GET /panel/probar`: a form that calls the API from the browser, and the same call in five programming languages.
//!
//! The URL names the operation and the example, so that only sending needs JavaScript. The token never reaches the panel:
//! the script sends it to the API only.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::current_user::CurrentUser;
use crate::fields::Fields;
use crate::layout::{Layout, MenuItem};
use crate::response;

mod samples;

use samples::Sample;

/// An operation of the API.
struct Operation {
    slug: &'static str,
    path: &'static str,
    title: &'static str,
    about: &'static str,
    examples: &'static [Example],
}

/// A body to send.
struct Example {
    title: &'static str,
    body: &'static str,
}

/// The operations with examples. The RUCs are those of the bundled sample; the first is a real company.
const OPERATIONS: &[Operation] = &[
    Operation {
        slug: "ruc",
        path: "/ruc",
        title: "RUC, resumen",
        about: "Del padrón: nombre, estado, condición, dirección y departamento.",
        examples: &[
            Example { title: "Una empresa", body: r#"{"ruc": "20100119227"}"# },
            Example { title: "No existe", body: r#"{"ruc": "20999999990"}"# },
            Example { title: "No es válido", body: r#"{"ruc": "20100119228"}"# },
        ],
    },
    Operation {
        slug: "ruc-official",
        path: "/ruc-official",
        title: "RUC, detalle",
        about: "De la fuente oficial, o de un proveedor si esta no responde: actividades, fechas y comprobantes.",
        examples: &[
            Example { title: "Una empresa", body: r#"{"ruc": "20100119227"}"# },
            Example { title: "No existe", body: r#"{"ruc": "20999999990"}"# },
        ],
    },
    Operation {
        slug: "cpe",
        path: "/cpe",
        title: "Comprobante",
        about: "De la administración tributaria: el estado del comprobante, y el estado y la condición de su emisor.",
        examples: &[
            Example {
                title: "Una factura",
                body: "{\n  \"ruc_emisor\": \"20999990062\",\n  \"codigo_tipo_documento\": \"01\",\n  \
                       \"serie_documento\": \"F001\",\n  \"numero_documento\": \"1\",\n  \
                       \"fecha_de_emision\": \"2026-01-15\",\n  \"total\": 118.00\n}",
            },
            Example {
                title: "Serie no válida",
                body: "{\n  \"ruc_emisor\": \"20999990062\",\n  \"codigo_tipo_documento\": \"01\",\n  \
                       \"serie_documento\": \"B001\",\n  \"numero_documento\": \"1\",\n  \
                       \"fecha_de_emision\": \"2026-01-15\",\n  \"total\": 118.00\n}",
            },
        ],
    },
];

#[derive(Template)]
#[template(path = "playground.html")]
struct PlaygroundPage {
    layout: Layout,
    operations: &'static [Operation],
    chosen: &'static Operation,
    body: &'static str,
    rows: usize,
    samples: [Sample; 5],
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let query = Fields::of_query(&user.request);
    let [first, ..] = OPERATIONS else { return response::redirect("/") };
    let chosen = OPERATIONS.iter().find(|operation| operation.slug == query.text("operacion")).unwrap_or(first);
    let number = query.text("ejemplo").parse::<usize>().unwrap_or(1);
    let example = number.checked_sub(1).and_then(|at| chosen.examples.get(at)).or(chosen.examples.first());
    let body = example.map_or("", |example| example.body);
    let url = user.panel.site.url(&user.request);
    let page = PlaygroundPage {
        layout: user.layout(MenuItem::Playground),
        operations: OPERATIONS,
        chosen,
        body,
        rows: body.lines().count().max(2),
        samples: samples::of(&format!("{url}{}", chosen.path), body),
    };
    response::page(StatusCode::OK, &page)
}
