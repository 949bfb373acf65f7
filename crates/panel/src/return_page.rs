//! The page to which the log-in returns: always one of the panel, never one that spends a query.

use std::fmt::Write as _;

use crate::layout::MenuItem;

/// Longer ones are dropped.
const MAX: usize = 1_000;
/// The page whose field holds a text that is not looked up yet.
const ASK: &str = "/panel/consultar?ruc=";

/// Path and query of the page that the log-in opens; `None` = it is no page of the panel.
///
/// A sheet or a search becomes the search field with its text, because another site may have opened it, and a file
/// becomes its page.
pub(crate) fn read(text: &str) -> Option<String> {
    if text == MenuItem::STATUS.path {
        return Some(text.to_owned());
    }
    let rest = text.strip_prefix("/panel").filter(|rest| rest.is_empty() || rest.starts_with(['/', '?']))?;
    if text.len() > MAX || !text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\') {
        return None;
    }
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    if let Some(typed) = path.strip_prefix("/consultar") {
        let field = |name| query.split('&').find_map(|pair| pair.strip_prefix(name));
        let typed = match typed {
            "" => field("ruc=").or(field("q=")).unwrap_or_default(),
            "/sugerencias" => "",
            typed => typed.strip_prefix('/')?,
        };
        return Some(if typed.is_empty() { "/panel/consultar".to_owned() } else { format!("{ASK}{typed}") });
    }
    // The forms of this page, which no link opens.
    if path.starts_with("/seguimiento/") || path.ends_with("/seguir") {
        return Some("/panel/seguimiento".to_owned());
    }
    for file in [".csv", ".xlsx"] {
        if let Some(page) = path.strip_suffix(file) {
            return Some(format!("/panel{page}"));
        }
    }
    Some(text.to_owned())
}

/// The address of the log-in. `form`: a form was sent after the end of the session.
pub(crate) fn log_in(page: Option<&str>, form: bool) -> String {
    let page = page.filter(|page| *page != "/panel").map(|page| format!("volver={}", encoded(page)));
    let fields: Vec<String> = page.into_iter().chain(form.then(|| "formulario=1".to_owned())).collect();
    if fields.is_empty() { "/ingresar".to_owned() } else { format!("/ingresar?{}", fields.join("&")) }
}

/// As the value of a query string.
fn encoded(text: &str) -> String {
    let mut value = String::new();
    for byte in text.bytes() {
        let is_plain = byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte);
        let _written = if is_plain { write!(value, "{}", char::from(byte)) } else { write!(value, "%{byte:02X}") };
    }
    value
}
