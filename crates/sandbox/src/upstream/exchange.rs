//! One exchange: reads a request, finds the simulated service, and sends its answer with its fault.

use std::io;

use kuraka_domain::Ruc;
use parking_lot::Mutex;
use tokio::{net::TcpStream, time::Instant};

use super::{
    answer::{Answer, Format},
    delivery::{deliver, reset},
    fault::{Delivery, Fault, Instead, Page, RedirectTo, RetryAfter},
    gate::{Gate, Pace},
    official::{self, FORM_PATH, Question},
    outcome::Outcome,
    page,
    request::Request,
    shape::ProviderShape,
    switchboard::{Switchboard, Target},
    taxpayer::Taxpayers,
    tokens::{self, Tokens},
    vouchers,
};

#[derive(Debug)]
pub(super) struct World {
    pub(super) taxpayers: Taxpayers,
    pub(super) providers: Vec<ProviderShape>,
    pub(super) pace: Option<Pace>,
    pub(super) gate: Mutex<Gate>,
    pub(super) tokens: Tokens,
    pub(super) switchboard: Switchboard,
}

/// The requested service.
enum Asked<'w> {
    Official(Question),
    Provider(&'w ProviderShape, String),
    Token,
    /// The issuer's RUC, if it is valid.
    Vouchers(Option<Ruc>),
    SearchForm,
    NoService,
}

impl World {
    pub(super) async fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        if self.switchboard.resets_connection() {
            return reset(stream);
        }
        let Some(request) = Request::read(&mut stream).await? else { return Ok(()) };
        let asked = self.asked(&request);
        let Some((target, ruc)) = asked.target() else {
            return deliver(stream, &self.answer(&asked, &request, None), None).await;
        };
        let queued = self.switchboard.next(&target, ruc);
        if let Some(barred) = self.barred(&asked) {
            return deliver(stream, &Answer::empty(200), Some(barred)).await;
        }
        let fault = queued.or_else(|| Outcome::fault_of(ruc?, &target));
        let delivery = match fault {
            Some(Fault::Delivered(delivery)) => Some(delivery),
            Some(Fault::Instead(_) | Fault::Altered(_) | Fault::Coded(_)) | None => None,
        };
        deliver(stream, &self.answer(&asked, &request, fault), delivery).await
    }

    fn asked(&self, request: &Request) -> Asked<'_> {
        if request.path == official::PATH {
            return Asked::Official(Question::of(request));
        }
        if request.path == FORM_PATH {
            return Asked::SearchForm;
        }
        if tokens::client_in(request).is_some() {
            return Asked::Token;
        }
        if vouchers::consultant_in(request).is_some() {
            return Asked::Vouchers(vouchers::issuer_in(request));
        }
        let found = self.providers.iter().find_map(|provider| Some((provider, provider.number_in(request)?)));
        found.map_or(Asked::NoService, |(provider, number)| Asked::Provider(provider, number))
    }

    /// The delivery to a client that the page has banned.
    fn barred(&self, asked: &Asked<'_>) -> Option<Delivery> {
        let Asked::Official(question) = asked else { return None };
        let pace = self.pace?;
        let now = Instant::now();
        let mut gate = self.gate.lock();
        if !gate.admits(pace, now) {
            return Some(if pace.silent { Delivery::Hang } else { Delivery::ResetBeforeHead });
        }
        if matches!(question, Question::WithoutToken) {
            gate.ban(pace, now);
        }
        None
    }

    fn answer(&self, asked: &Asked<'_>, request: &Request, fault: Option<Fault>) -> Answer {
        if let Some(Fault::Instead(instead)) = fault
            && !matches!((asked, instead), (Asked::Token, Instead::Body(..)))
        {
            return self.instead(asked, request, instead);
        }
        match asked {
            Asked::Official(question) => official::answer(question, &self.taxpayers, fault, self.switchboard.session()),
            Asked::Provider(provider, _) if !provider.lets_in(request) => short(401, Format::Json),
            Asked::Provider(provider, number) => provider.answer(number, &self.taxpayers, fault),
            Asked::Token => tokens::answer(request, &self.tokens, fault),
            Asked::Vouchers(_) => vouchers::answer(request, &self.tokens, fault),
            Asked::SearchForm => Answer::text(200, Format::Html, &page::search_form()),
            Asked::NoService => short(404, Format::Html),
        }
    }

    fn instead(&self, asked: &Asked<'_>, request: &Request, instead: Instead) -> Answer {
        let format = asked.format();
        let html = |page: Page| Answer::text(200, Format::Html, &page::page_for(page));
        match instead {
            Instead::Status(status) => short(status, format),
            Instead::Body(status, body) => Answer::text(status, Format::Json, body),
            Instead::Throttled(RetryAfter::Unsaid) => short(429, format),
            Instead::Throttled(RetryAfter::Seconds(wait)) => short(429, format).with("Retry-After", wait.to_string()),
            Instead::Throttled(RetryAfter::Date(date)) => short(429, format).with("Retry-After", date),
            Instead::Redirect(to) => Answer::empty(302).with(
                "Location",
                match to {
                    RedirectTo::OtherHost => "http://elsewhere.invalid/",
                    RedirectTo::Itself => request.path.as_str(),
                    RedirectTo::SearchForm => FORM_PATH,
                },
            ),
            Instead::Page(page) => html(page),
            Instead::OtherFormat => match format {
                Format::Html => Answer::text(200, Format::Json, r#"{"success": true, "data": {}}"#),
                Format::Json => html(Page::SearchForm),
            },
            Instead::Empty => Answer::text(200, format, ""),
            Instead::NoContent => Answer::empty(204),
            Instead::NotFound => match asked {
                Asked::Official(Question::Ruc(number)) => Answer::text(200, Format::Html, &page::not_found(number)),
                Asked::Provider(provider, number) => provider.not_found(number),
                Asked::Official(_) | Asked::Token | Asked::Vouchers(_) | Asked::SearchForm | Asked::NoService => {
                    short(404, format)
                }
            },
        }
    }
}

impl Asked<'_> {
    fn target(&self) -> Option<(Target, Option<Ruc>)> {
        match self {
            Self::Official(question) => Some((Target::Official, question.ruc())),
            Self::Provider(provider, number) => Some((Target::provider(&provider.name), Ruc::parse(number).ok())),
            Self::Token => Some((Target::Token, None)),
            Self::Vouchers(issuer) => Some((Target::Vouchers, *issuer)),
            Self::SearchForm | Self::NoService => None,
        }
    }

    const fn format(&self) -> Format {
        match self {
            Self::Provider(..) | Self::Token | Self::Vouchers(_) => Format::Json,
            Self::Official(_) | Self::SearchForm | Self::NoService => Format::Html,
        }
    }
}

fn short(status: u16, format: Format) -> Answer {
    let text = match format {
        Format::Html => page::message(&format!("Error {status}"), &format!("<h1>Error {status}</h1>")),
        Format::Json => format!(r#"{{"success": false, "message": "Error {status}"}}"#),
    };
    Answer::text(status, format, &text)
}
