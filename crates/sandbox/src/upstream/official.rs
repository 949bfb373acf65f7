//! How the official page handles a request: its form, its token, its sentence for unknown numbers.

use kuraka_domain::Ruc;

use super::answer::{Answer, Format};
use super::fault::{Alteration, Coding, Fault, Page};
use super::page;
use super::request::Request;
use super::taxpayer::Taxpayers;

pub(super) const PATH: &str = "/cl-ti-itmrconsruc/jcrS00Alias";
/// The search form.
pub(super) const FORM_PATH: &str = "/cl-ti-itmrconsruc/FrameCriterioBusquedaWeb.jsp";
/// The page checks only a token's length.
const TOKEN_LENGTH: usize = 52;
/// Like the real ones: the session's, and the load balancer's.
const COOKIES: [&str; 2] = [
    "ITMRCONSRUCSESSION=sandbox00000000000000000000000000000001!-896471932!2146499504; path=/; HttpOnly",
    "TS01000001=014dc399cb00000000000000000000000000000001; Path=/",
];

/// The requested number, as it is written. Without `modo=1` the real page sends its layout of before 2021, which is not
/// simulated.
pub(super) fn number_in(request: &Request) -> Option<String> {
    let field = |name| request.form_field(name).unwrap_or_default();
    let token = field("token");
    let is_asked = request.method == "POST"
        && field("accion") == "consPorRuc"
        && token.len() == TOKEN_LENGTH
        && token.chars().all(|c| c.is_ascii_alphanumeric())
        && field("modo") == "1";
    is_asked.then(|| field("nroRuc"))
}

pub(super) fn answer(request: &Request, taxpayers: &Taxpayers, fault: Option<Fault>) -> Answer {
    let html = |text: &str, coding| Answer::coded(200, Format::Html, &text.replace('\n', "\r\n"), coding);
    let answer = match number_in(request) {
        Some(number) => {
            let (altered, coding) = parts(fault);
            let found = Ruc::parse(&number).ok().and_then(|ruc| taxpayers.find(ruc, altered));
            let text = found.map_or_else(|| page::not_found(&number), |taxpayer| page::page_of(&taxpayer, altered));
            html(&text, coding)
        }
        None if request.method == "POST" => html(&page::page_for(Page::Error), None),
        None => Answer::empty(302).with("Location", FORM_PATH),
    };
    COOKIES.into_iter().fold(answer, |answer, cookie| answer.with("Set-Cookie", cookie))
}

pub(super) const fn parts(fault: Option<Fault>) -> (Option<Alteration>, Option<Coding>) {
    match fault {
        Some(Fault::Altered(alteration)) => (Some(alteration), None),
        Some(Fault::Coded(coding)) => (None, Some(coding)),
        Some(Fault::Replaced(_) | Fault::Delivered(_)) | None => (None, None),
    }
}
