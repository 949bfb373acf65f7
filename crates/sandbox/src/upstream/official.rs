//! How the official page handles a request: its form, its token, its sentence for unknown numbers.

use kuraka_domain::Ruc;

use super::{
    answer::{Answer, Format},
    fault::{Alteration, Coding, Fault, Page},
    page,
    request::Request,
    taxpayer::Taxpayers,
};

pub(super) const PATH: &str = "/cl-ti-itmrconsruc/jcrS00Alias";
/// The search form.
pub(super) const FORM_PATH: &str = "/cl-ti-itmrconsruc/FrameCriterioBusquedaWeb.jsp";
/// The page checks only a token's length.
const TOKEN_LENGTH: usize = 52;

pub(super) enum PageRequest {
    /// A number, as it was written.
    Ruc(String),
    /// A number without a token, which leads to a ban.
    WithoutToken,
    /// Not simulated.
    Else,
    /// Another method than POST.
    Misdirected,
}

impl PageRequest {
    pub(super) fn from_request(request: &Request) -> Self {
        if request.method != "POST" {
            return Self::Misdirected;
        }
        let field = |name| request.form_field(name).unwrap_or_default();
        if field("accion") != "consPorRuc" {
            return Self::Else;
        }
        let token = field("token");
        if token.len() != TOKEN_LENGTH || !token.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Self::WithoutToken;
        }
        // Without it the real page sends its layout of before 2021, which is not simulated.
        if field("modo") != "1" {
            return Self::Else;
        }
        Self::Ruc(field("nroRuc"))
    }

    /// The requested RUC, if it is valid.
    pub(super) fn ruc(&self) -> Option<Ruc> {
        match self {
            Self::Ruc(number) => Ruc::parse(number).ok(),
            Self::WithoutToken | Self::Else | Self::Misdirected => None,
        }
    }
}

pub(super) fn answer(question: &PageRequest, taxpayers: &Taxpayers, fault: Option<Fault>, session: u64) -> Answer {
    let html = |text: &str, coding| Answer::coded(200, Format::Html, &text.replace('\n', "\r\n"), coding);
    let answer = match question {
        PageRequest::Ruc(number) => {
            let (altered, coding) = parts(fault);
            let text = question
                .ruc()
                .and_then(|ruc| taxpayers.find(ruc, altered))
                .map_or_else(|| page::not_found(number), |taxpayer| page::page_of(&taxpayer, altered));
            html(&text, coding)
        }
        PageRequest::WithoutToken | PageRequest::Else => html(&page::page_for(Page::Error), None),
        PageRequest::Misdirected => Answer::empty(302).with("Location", FORM_PATH),
    };
    // Like the real cookies: a number, and the load balancer's.
    answer
        .with("Set-Cookie", format!("ITMRCONSRUCSESSION=sandbox{session:032}!-896471932!2146499504; path=/; HttpOnly"))
        .with("Set-Cookie", format!("TS01{session:06x}=014dc399cb{session:032x}; Path=/"))
}

pub(super) const fn parts(fault: Option<Fault>) -> (Option<Alteration>, Option<Coding>) {
    match fault {
        Some(Fault::Altered(alteration)) => (Some(alteration), None),
        Some(Fault::Coded(coding)) => (None, Some(coding)),
        Some(Fault::Replaced(_) | Fault::Delivered(_)) | None => (None, None),
    }
}
