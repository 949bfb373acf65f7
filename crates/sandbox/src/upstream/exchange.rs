//! One exchange: reads a request, finds the simulated service, and sends its answer with its fault.

use std::io;

use kuraka_domain::Ruc;
use parking_lot::Mutex;
use tokio::{net::TcpStream, time::Instant};

use super::{
    answer::{Answer, Format},
    delivery::{deliver, reset},
    fault::{Delivery, Fault, Page, RedirectTo, Replacement, RetryAfter},
    fault_case::FaultCase,
    fault_control::{FaultControl, Target},
    official::{self, FORM_PATH, PageRequest},
    official_rates::{self, OfficialRates},
    page,
    page_rate_limit::{Pace, PageRateLimit},
    request::Request,
    shape::ProviderShape,
    taxpayer::Taxpayers,
    tokens::{self, Tokens},
    vouchers,
};

#[derive(Debug)]
pub(super) struct Simulation {
    pub(super) taxpayers: &'static Taxpayers,
    pub(super) providers: Vec<ProviderShape>,
    pub(super) pace: Option<Pace>,
    pub(super) rate_limit: Mutex<PageRateLimit>,
    pub(super) tokens: Tokens,
    pub(super) rates: OfficialRates,
    pub(super) fault_control: FaultControl,
}

/// The requested service.
enum Endpoint<'w> {
    Official(PageRequest),
    Provider(&'w ProviderShape, String),
    Token,
    /// The issuer's RUC, if it is valid.
    Vouchers(Option<Ruc>),
    RateText,
    RateSeries,
    SearchForm,
    NoService,
}

impl Simulation {
    pub(super) async fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        if self.fault_control.resets_connection() {
            return reset(stream);
        }
        let Some(request) = Request::read(&mut stream).await? else { return Ok(()) };
        let asked = self.asked(&request);
        let Some((target, ruc)) = asked.target() else {
            return deliver(stream, &self.answer(&asked, &request, None), None).await;
        };
        let queued = self.fault_control.next(&target, ruc);
        if let Some(barred) = self.barred(&asked) {
            return deliver(stream, &Answer::empty(200), Some(barred)).await;
        }
        let fault = queued.or_else(|| FaultCase::fault_of(ruc?, &target));
        let delivery = match fault {
            Some(Fault::Delivered(delivery)) => Some(delivery),
            Some(Fault::Replaced(_) | Fault::Altered(_) | Fault::Coded(_)) | None => None,
        };
        deliver(stream, &self.answer(&asked, &request, fault), delivery).await
    }

    fn asked(&self, request: &Request) -> Endpoint<'_> {
        if request.path == official::PATH {
            return Endpoint::Official(PageRequest::from_request(request));
        }
        if request.path == FORM_PATH {
            return Endpoint::SearchForm;
        }
        if request.path == official_rates::TEXT_PATH {
            return Endpoint::RateText;
        }
        if request.path.starts_with(official_rates::SERIES_PATH) {
            return Endpoint::RateSeries;
        }
        if tokens::client_in(request).is_some() {
            return Endpoint::Token;
        }
        if vouchers::requester_in(request).is_some() {
            return Endpoint::Vouchers(vouchers::issuer_in(request));
        }
        let found = self.providers.iter().find_map(|provider| Some((provider, provider.number_in(request)?)));
        found.map_or(Endpoint::NoService, |(provider, number)| Endpoint::Provider(provider, number))
    }

    /// The delivery to a client that the page has banned.
    fn barred(&self, asked: &Endpoint<'_>) -> Option<Delivery> {
        let Endpoint::Official(question) = asked else { return None };
        let pace = self.pace?;
        let now = Instant::now();
        let mut rate_limit = self.rate_limit.lock();
        if !rate_limit.admits(pace, now) {
            return Some(if pace.silent { Delivery::Hang } else { Delivery::ResetBeforeHead });
        }
        if matches!(question, PageRequest::WithoutToken) {
            rate_limit.ban(pace, now);
        }
        None
    }

    fn answer(&self, asked: &Endpoint<'_>, request: &Request, fault: Option<Fault>) -> Answer {
        if let Some(Fault::Replaced(instead)) = fault
            && !matches!((asked, instead), (Endpoint::Token, Replacement::Body(..)))
        {
            return self.instead(asked, request, instead);
        }
        match asked {
            Endpoint::Official(question) => {
                official::answer(question, self.taxpayers, fault, self.fault_control.session())
            }
            Endpoint::Provider(provider, _) if !provider.lets_in(request) => short(401, Format::Json),
            Endpoint::Provider(provider, number) => provider.answer(number, self.taxpayers, fault),
            Endpoint::Token => tokens::answer(request, &self.tokens, fault),
            Endpoint::Vouchers(_) => vouchers::answer(request, &self.tokens, fault),
            Endpoint::RateText => self.rates.text(),
            Endpoint::RateSeries => self.rates.series(request),
            Endpoint::SearchForm => Answer::text(200, Format::Html, &page::search_form()),
            Endpoint::NoService => short(404, Format::Html),
        }
    }

    fn instead(&self, asked: &Endpoint<'_>, request: &Request, instead: Replacement) -> Answer {
        let format = asked.format();
        let html = |page: Page| Answer::text(200, Format::Html, &page::page_for(page));
        match instead {
            Replacement::Status(status) => short(status, format),
            Replacement::Body(status, body) => Answer::text(status, Format::Json, body),
            Replacement::Throttled(RetryAfter::Unsaid) => short(429, format),
            Replacement::Throttled(RetryAfter::Seconds(wait)) => {
                short(429, format).with("Retry-After", wait.to_string())
            }
            Replacement::Throttled(RetryAfter::Date(date)) => short(429, format).with("Retry-After", date),
            Replacement::Redirect(to) => Answer::empty(302).with(
                "Location",
                match to {
                    RedirectTo::OtherHost => "http://elsewhere.invalid/",
                    RedirectTo::Itself => request.path.as_str(),
                    RedirectTo::SearchForm => FORM_PATH,
                },
            ),
            Replacement::Page(page) => html(page),
            Replacement::OtherFormat => match format {
                Format::Html => Answer::text(200, Format::Json, r#"{"success": true, "data": {}}"#),
                Format::Json => html(Page::SearchForm),
            },
            Replacement::Empty => Answer::text(200, format, ""),
            Replacement::NoContent => Answer::empty(204),
            Replacement::NotFound => match asked {
                Endpoint::Official(PageRequest::Ruc(number)) => {
                    Answer::text(200, Format::Html, &page::not_found(number))
                }
                Endpoint::Provider(provider, number) => provider.not_found(number),
                Endpoint::Official(_)
                | Endpoint::Token
                | Endpoint::Vouchers(_)
                | Endpoint::RateText
                | Endpoint::RateSeries
                | Endpoint::SearchForm
                | Endpoint::NoService => short(404, format),
            },
        }
    }
}

impl Endpoint<'_> {
    fn target(&self) -> Option<(Target, Option<Ruc>)> {
        match self {
            Self::Official(question) => Some((Target::Official, question.ruc())),
            Self::Provider(provider, number) => Some((Target::provider(&provider.name), Ruc::parse(number).ok())),
            Self::Token => Some((Target::Token, None)),
            Self::Vouchers(issuer) => Some((Target::Vouchers, *issuer)),
            Self::RateText => Some((Target::RateText, None)),
            Self::RateSeries => Some((Target::RateSeries, None)),
            Self::SearchForm | Self::NoService => None,
        }
    }

    const fn format(&self) -> Format {
        match self {
            Self::Provider(..) | Self::Token | Self::Vouchers(_) => Format::Json,
            Self::Official(_) | Self::RateText | Self::RateSeries | Self::SearchForm | Self::NoService => Format::Html,
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
