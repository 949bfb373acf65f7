//! `GET /docs/primera-consulta`: the guide of the first call, from the documentation's text.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

use crate::current_user::Visitor;
use crate::layout::Layout;
use crate::response;

const GUIDE: &str = include_str!("../../../../docs/guides/first-call.md");
/// In the guide's examples.
const DEMO: &str = "http://127.0.0.1:8080";
/// Links of the guide, and their counterparts on this server.
const LINKS: [(&str, &str); 3] = [
    ("../topics/vouchers.md", "/docs#cpe"),
    ("../reference/errors.md", "/docs#codigos"),
    ("seguimiento.md", "/docs#cambios"),
];

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage {
    layout: Layout,
    sign_up: bool,
    /// HTML.
    guide: String,
}

pub(crate) async fn show(visitor: Visitor) -> HttpResponse {
    let site = &visitor.panel.site;
    let page = GuidePage {
        layout: visitor.layout(),
        sign_up: site.sign_up.is_some(),
        guide: rendered(&site.url(&visitor.request)),
    };
    response::page(StatusCode::OK, &page)
}

/// As HTML, with this server's address in its examples.
fn rendered(url: &str) -> String {
    let guide = GUIDE.replace(DEMO, url);
    let mut page = String::new();
    html::push_html(&mut page, Parser::new_ext(&guide, Options::ENABLE_TABLES).map(adapted));
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
