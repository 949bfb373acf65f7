//! Pages without a taxpayer: not found, errors, and the pages of firewalls and captchas.
//!
//! The known sentences are word for word; the rest of each page is short.

use crate::upstream::fault::Page;

/// The page for a number that no taxpayer has.
pub(in crate::upstream) fn not_found(number: &str) -> String {
    format!(include_str!("../../../pages/not_found.html"), number = super::row::escape(number))
}

/// The search form.
pub(in crate::upstream) fn search_form() -> String {
    include_str!("../../../pages/search_form.html").to_owned()
}

/// One of the web pages that come instead of a record.
pub(in crate::upstream) fn page_for(page: Page) -> String {
    match page {
        Page::Firewall => include_str!("../../../pages/firewall.html").trim_end().to_owned(),
        Page::Captcha => include_str!("../../../pages/captcha.html").to_owned(),
        Page::Denied => include_str!("../../../pages/denied.html").to_owned(),
        Page::Error => include_str!("../../../pages/error.html").to_owned(),
        Page::SearchForm => search_form(),
        Page::Maintenance => include_str!("../../../pages/maintenance.html").to_owned(),
    }
}

/// A short page.
pub(in crate::upstream) fn message(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n{body}\n</body>\n</html>\n"
    )
}
