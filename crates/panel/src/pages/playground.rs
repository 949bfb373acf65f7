//! `GET /panel/probar`: a form that calls the API from the browser, and the same call in five languages. The URL names
//! operation and sample, so that only sending needs JavaScript. The script sends the token to the API only, never to
//! the panel.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::{Operation, Playground};

use crate::current_user::CurrentUser;
use crate::fields::Fields;
use crate::layout::{Layout, MenuItem};
use crate::pages::snippets::{Snippet, snippets};
use crate::response;

#[derive(Clone, Copy)]
struct Tab {
    /// Also its path.
    operation: &'static str,
    playground: Playground,
}

#[derive(Template)]
#[template(path = "playground.html")]
struct PlaygroundPage {
    layout: Layout,
    tabs: Vec<Tab>,
    open: Tab,
    body: &'static str,
    /// The text field's lines.
    rows: usize,
    snippets: [Snippet; 5],
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let query = Fields::from_query(&user.request);
    let tabs: Vec<Tab> = user.panel.operations.iter().copied().filter_map(Tab::new).collect();
    let named = tabs.iter().find(|tab| tab.operation == query.text("operacion"));
    let Some(open) = named.or(tabs.first()).copied() else { return response::redirect("/docs") };
    let samples = open.playground.samples;
    let number = query.text("ejemplo").parse::<usize>().unwrap_or(1);
    let sample = number.checked_sub(1).and_then(|index| samples.get(index)).or(samples.first());
    let body = sample.map_or("", |sample| sample.body);
    let url = format!("{}/{}", user.panel.site.url(&user.request), open.operation);
    let page = PlaygroundPage {
        layout: user.layout(MenuItem::PLAYGROUND),
        tabs,
        open,
        body,
        rows: body.lines().count().max(2),
        snippets: snippets(&url, body),
    };
    response::page(StatusCode::OK, &page)
}

impl Tab {
    fn new(operation: &Operation) -> Option<Self> {
        operation.playground.map(|playground| Self { operation: operation.name, playground })
    }
}
