//! Guides from the documentation's texts: the panel and spreadsheets, the first call, and changing from another service.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::error::PageError;
use crate::layout::Layout;
use crate::request::Visitor;
use crate::response;

struct Guide {
    path: &'static str,
    about: &'static str,
    text: &'static str,
    /// The address in its examples, for which this server's stands.
    address: &'static str,
}

static GUIDES: [Guide; 4] = [
    Guide {
        path: "/docs/primera-consulta",
        about: "Cómo consultar un RUC y validar un comprobante con la API.",
        text: include_str!("../../../../docs/guides/first-call.md"),
        address: "http://127.0.0.1:8080",
    },
    Guide {
        path: "/docs/cambiar-de-servicio",
        about: "Qué se cambia en un programa escrito para otro servicio, y qué no hay.",
        text: include_str!("../../../../docs/guides/migrate.md"),
        address: "https://su-servicio",
    },
    Guide {
        path: "/docs/panel",
        about: "Cómo revisar proveedores, listas y comprobantes en el panel.",
        text: include_str!("../../../../docs/guides/panel.md"),
        address: "http://127.0.0.1:8080",
    },
    Guide {
        path: "/docs/hojas-de-calculo",
        about: "Recetas para consultar RUC desde una hoja de cálculo.",
        text: include_str!("../../../../docs/guides/spreadsheets.md"),
        address: "https://kuraka.example.pe",
    },
];
/// Links of the guides, and their counterparts on this server.
const LINKS: [(&str, &str); 5] = [
    ("panel.md", "/docs/panel"),
    ("spreadsheets.md", "/docs/hojas-de-calculo"),
    ("../topics/vouchers.md", "/docs#cpe"),
    ("../reference/errors.md", "/docs#codigos"),
    ("seguimiento.md", "/docs#cambios"),
];

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    layout: Layout,
    title: &'static str,
    about: &'static str,
    /// HTML.
    guide: String,
}

pub(crate) async fn show(visitor: Visitor) -> Result<HttpResponse, PageError> {
    let guide = GUIDES.iter().find(|guide| guide.path == visitor.request.path()).ok_or(PageError::NotFound)?;
    let site = &visitor.panel.site;
    let page = GuidePage {
        layout: visitor.layout(),
        title: guide.text.lines().next().unwrap_or_default().trim_start_matches("# "),
        about: guide.about,
        guide: rendered(guide, &site.url(&visitor.request)),
    };
    Ok(response::page(StatusCode::OK, &page))
}

/// As HTML, with this server's address in its examples.
fn rendered(guide: &Guide, url: &str) -> String {
    // The pictures are not part of the program.
    let lines: Vec<&str> = guide.text.lines().filter(|line| !line.starts_with("![")).collect();
    let text = lines.join("\n").replace(guide.address, url);
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(&text, Options::ENABLE_TABLES).map(adapted));
    page
}

/// Links lead to this server; elements wider than a phone scroll.
fn adapted(event: Event<'_>) -> Event<'_> {
    if let Event::Start(Tag::Link { link_type, dest_url, title, id }) = event {
        let here = LINKS.iter().find(|(page, _)| *page == &*dest_url).map(|&(_, here)| CowStr::Borrowed(here));
        return Event::Start(Tag::Link { link_type, dest_url: here.unwrap_or(dest_url), title, id });
    }
    let html = if matches!(event, Event::Start(Tag::CodeBlock(_))) {
        "<pre tabindex=\"0\"><code>"
    } else if matches!(event, Event::End(TagEnd::CodeBlock)) {
        "</code></pre>\n"
    } else if matches!(event, Event::Start(Tag::Table(_))) {
        "<div class=\"wide\" tabindex=\"0\"><table>"
    } else if matches!(event, Event::End(TagEnd::Table)) {
        "</tbody></table></div>\n"
    } else {
        return event;
    };
    Event::Html(html.into())
}
