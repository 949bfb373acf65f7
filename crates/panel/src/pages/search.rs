//! `GET /panel/consultar`: one field for a RUC or a name.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;

use crate::current_user::CurrentUser;
use crate::fields::Fields;
use crate::layout::{Layout, MenuItem};
use crate::response;

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    layout: Layout,
    /// What the field holds.
    text: String,
    /// Whether the owner is asked to confirm, because something else opened the page.
    asks: bool,
}

pub(crate) async fn show(user: CurrentUser) -> HttpResponse {
    let fields = Fields::of_query(&user.request);
    let text = fields.text("q").trim();
    match ruc_digits(text) {
        Some(digits) => response::redirect(&format!("/panel/consultar/{digits}")),
        None => {
            let (text, asks) = (text.to_owned(), false);
            response::page(StatusCode::OK, &SearchPage { layout: user.layout(MenuItem::SEARCH), text, asks })
        }
    }
}

/// The page with this text in its field, so that the owner decides whether to spend a query on it.
pub(crate) fn ask(user: &CurrentUser, text: &str) -> HttpResponse {
    let (text, asks) = (text.to_owned(), true);
    response::page(StatusCode::OK, &SearchPage { layout: user.layout(MenuItem::SEARCH), text, asks })
}

/// The digits of a text that can only be meant as a RUC: it has no letter.
fn ruc_digits(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_ruc = text.chars().all(|c| c.is_ascii_digit() || " .-".contains(c));
    (is_ruc && !digits.is_empty()).then_some(digits)
}
