//! The documentation for callers: which operation to use, every field, code, and the guide of the first call.

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use kuraka_api::{
    Operation, cpe, ruc, ruc_anexos, ruc_busqueda, ruc_domicilio_fiscal, ruc_ficha, ruc_official, ruc_ssco, ubigeos,
    usage,
};
use kuraka_domain::ResultCode;
use serde_json::Value;

use crate::browser::Browser;
use crate::test_app::TestApp;

/// Every operation of the API.
const ALL: [&Operation; 10] = [
    &ruc::OPERATION,
    &ruc_ficha::OPERATION,
    &ruc_official::OPERATION,
    &cpe::OPERATION,
    &ruc_busqueda::OPERATION,
    &ruc_anexos::OPERATION,
    &ruc_ssco::OPERATION,
    &ruc_domicilio_fiscal::OPERATION,
    &ubigeos::OPERATION,
    &usage::OPERATION,
];

async fn docs() -> String {
    Browser::new(&TestApp::with_operations(&ALL).await).get("/docs").await.body
}

/// The part of a page between two texts.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from} is there: {page}"));
    rest.split_once(to).unwrap().0
}

/// The paths of the fields of a JSON value, as the page writes them.
fn paths(value: &Value, around: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let path = if around.is_empty() { name.clone() } else { format!("{around}.{name}") };
                paths(field, &path, found);
                found.push(path);
            }
        }
        Value::Array(entries) => entries.iter().for_each(|entry| paths(entry, &format!("{around}[]"), found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[actix_web::test]
async fn the_docs_say_which_operation_to_use_how_fresh_and_at_what_cost() {
    let page = docs().await;
    let table = between(&page, "id=\"eleccion\"", "</table>");
    let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 5);
    for (row, (operation, freshness)) in rows.iter().zip([
        ("/ruc<", "cada día"),
        ("/ruc-ficha<", "diarios a mensuales"),
        ("/ruc-official<", "del momento"),
        ("/ruc-busqueda<", "cada día"),
        ("/cpe<", "nada se guarda"),
    ]) {
        assert!(row.contains(operation) && row.contains(freshness) && row.contains(">1 consulta<"), "{row}");
    }
}

#[actix_web::test]
async fn the_docs_describe_every_field_of_every_operation() {
    let page = docs().await;
    for operation in ALL {
        let part = between(&page, &format!("<h2 id=\"{}\">", operation.name), "</section>");
        let mut expected = Vec::new();
        let answer: Value = serde_json::from_str(operation.response.example).unwrap();
        paths(&answer["data"], "", &mut expected);
        if let Some(request) = operation.request {
            paths(&serde_json::from_str(request.example).unwrap(), "", &mut expected);
        }
        assert!(!expected.is_empty(), "{}", operation.name);
        for path in expected {
            let row = between(part, &format!("<th scope=\"row\"><code>{path}</code></th>"), "</tr>");
            let (kind, meaning) = row.split_once("<td>").unwrap().1.split_once("</td><td>").unwrap();
            let texts = [kind, meaning].map(|text| text.chars().filter(|c| c.is_alphabetic()).count());
            assert!(texts[0] >= 5 && texts[1] >= 5, "/{}: {path}: {row}", operation.name);
        }
    }
}

#[actix_web::test]
async fn the_docs_list_the_possible_values() {
    let page = docs().await;
    let statuses = between(&page, "id=\"estados\"", "</div>");
    assert!(statuses.contains("BAJA DE OFICIO") && statuses.contains("SUSPENSION TEMPORAL"), "{statuses}");
    assert!(between(&page, "id=\"condiciones\"", "</div>").contains("NO HALLADO SE MUDO DE DOMICILIO"));
    assert!(between(&page, "id=\"estados-de-comprobante\"", "</div>").contains("<code>4</code> NO AUTORIZADO"));
    let kind = between(&page, "<th scope=\"row\"><code>codigo_tipo_documento</code></th>", "</tr>");
    assert!(kind.contains("<code>R7</code>"), "{kind}");
    let status = between(between(&page, "<h2 id=\"ruc\">", "</section>"), "<code>estado</code></th>", "</tr>");
    assert!(status.contains("href=\"#estados\""), "{status}");
}

#[actix_web::test]
async fn the_docs_show_a_call_in_eight_languages() {
    let page = docs().await;
    let part = between(&page, "id=\"codigo\"", "</section>");
    for language in ["curl", "JavaScript", "Python", "PHP", "Rust", "C#", "Java", "PowerShell"] {
        let sample = between(part, &format!("<summary>{language}</summary>"), "</details>");
        assert!(sample.contains("http://panel.example/ruc") && sample.contains("KURAKA_TOKEN"), "{language}: {sample}");
        assert!(sample.contains("20100119227") && !sample.contains("{body}") && !sample.contains("{url}"), "{sample}");
    }
    assert_eq!(part.matches("<details").count(), 8);
}

#[actix_web::test]
async fn the_docs_say_what_is_charged_as_the_reference_does() {
    let page = docs().await;
    let reference = include_str!("../../../../docs/reference/errors.md");
    let charged = |code: &str| {
        let row = reference.lines().find(|line| line.contains(&format!("| `{code}` |"))).unwrap();
        row.split('|').nth(4).unwrap().trim() != "no"
    };
    for code in ResultCode::ALL {
        let row = between(&page, &format!("<th class=\"nowrap\" scope=\"row\"><code>{code}</code></th>"), "</tr>");
        let expected = if charged(code.as_str()) { "sí" } else { "no" };
        assert_eq!(between(row, "\"Cuesta\">", "<"), expected, "{code}");
    }
    for section in ["repetir", "errores", "cors"] {
        assert!(between(&page, &format!("<h2 id=\"{section}\">"), "</section>").len() > 200, "{section}");
    }
}

#[actix_web::test]
async fn guides_are_served_with_this_server_s_address() {
    let app = TestApp::at("https://kuraka.example").await;
    for (path, texts) in [
        (
            "/docs/primera-consulta",
            ["<h1>Su primera consulta</h1>", "https://kuraka.example/ruc", "href=\"/docs#codigos\""],
        ),
        (
            "/docs/cambiar-de-servicio",
            [
                "<h1>Cambiar de servicio</h1>",
                "https://kuraka.example/compat/&lt;nombre&gt;",
                "<title>Cambiar de servicio",
            ],
        ),
    ] {
        let response = Browser::new(&app).get(path).await;
        assert_eq!(response.status, StatusCode::OK, "{path}");
        for text in texts.into_iter().chain(["</table></div>"]) {
            response.assert_contains(text);
        }
        response.assert_none(["127.0.0.1", "su-servicio", ".md", "```", "| campo |", "**"]);
    }
    Browser::new(&app).get("/docs").await.assert_contains("href=\"/docs/cambiar-de-servicio\"");
    let guide = Browser::new(&app).get("/docs/panel").await;
    guide.assert_contains("href=\"/docs/hojas-de-calculo\"");
    guide.assert_lacks(".png");
    Browser::new(&app).get("/docs/hojas-de-calculo").await.assert_contains("https://kuraka.example/ruc-multiple");
}

#[actix_web::test]
async fn docs_with_a_trailing_slash_redirect_to_docs() {
    let app = TestApp::new().await;
    let response = Browser::new(&app).get("/docs/").await;
    assert_eq!(response.status, StatusCode::PERMANENT_REDIRECT);
    assert_eq!(response.header(&LOCATION), "/docs");
}
