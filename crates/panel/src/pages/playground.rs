//! `GET /panel/probar`: a form that calls the API from the browser, and the same call in five languages. The URL names
//! operation and sample, so that only sending needs JavaScript. The script sends the token to the API only, never to
//! the panel.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use kuraka_api::Playground;

use crate::layout::{Layout, MenuItem};
use crate::pages::snippets::{Snippet, snippets};
use crate::request::{CurrentUser, Fields};
use crate::response;

/// The name of an operation, which is also its path, and its part of the page.
type Tab = (&'static str, Playground);

#[derive(Template)]
#[template(path = "playground.html")]
struct PlaygroundPage {
    layout: Layout,
    tabs: Vec<Tab>,
    operation: &'static str,
    playground: Playground,
    body: &'static str,
    snippets: Vec<Snippet>,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let query = Fields::from_query(&user.request);
    let tabs: Vec<Tab> = user.panel.operations.iter().filter_map(|it| Some((it.name, it.playground?))).collect();
    let named = tabs.iter().find(|(operation, _)| *operation == query.text("operacion"));
    let Some((operation, playground)) = named.or(tabs.first()).copied() else { return response::redirect("/docs") };
    let samples = playground.samples;
    let number = query.text("ejemplo").parse::<usize>().unwrap_or(1);
    let sample = number.checked_sub(1).and_then(|index| samples.get(index)).or(samples.first());
    let body = sample.map_or("", |sample| sample.body);
    let url = format!("{}/{operation}", user.panel.site.url(&user.request));
    let page = PlaygroundPage {
        layout: user.layout(MenuItem::PLAYGROUND),
        tabs,
        operation,
        playground,
        body,
        snippets: snippets(&url, body),
    };
    response::page(StatusCode::OK, &page)
}
