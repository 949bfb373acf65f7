//! One exchange: reads a request, finds the simulated service, and sends its answer with its fault.

use std::io;

use kuraka_domain::Ruc;
use tokio::net::TcpStream;

use super::answer::{Answer, Format};
use super::delivery::deliver;
use super::fault::{Fault, Page, RedirectTo, Replacement};
use super::fault_case::FaultCase;
use super::fault_control::{FaultControl, Target};
use super::official::{self, FORM_PATH};
use super::official_rates::{self, OfficialRates};
use super::request::Request;
use super::shape::ProviderShape;
use super::taxpayer::Taxpayers;
use super::tokens::{self, Tokens};
use super::{page, vouchers};

#[derive(Debug)]
pub(super) struct Simulation {
    pub(super) taxpayers: &'static Taxpayers,
    pub(super) providers: Vec<ProviderShape>,
    pub(super) tokens: Tokens,
    pub(super) rates: OfficialRates,
    pub(super) fault_control: FaultControl,
}

impl Simulation {
    pub(super) async fn serve(&self, mut stream: TcpStream) -> io::Result<()> {
        let Some(request) = Request::read(&mut stream).await? else { return Ok(()) };
        let Some((target, number)) = self.asked(&request) else {
            let answer = match &*request.path {
                FORM_PATH => Answer::text(200, Format::Html, &page::search_form()),
                _ => short(404, Format::Html),
            };
            return deliver(stream, &answer, None).await;
        };
        let ruc = Ruc::parse(&number).ok();
        let queued = self.fault_control.next(&target, ruc);
        let fault = queued.or_else(|| FaultCase::fault_of(ruc?, &target));
        let delivery = match fault {
            Some(Fault::Delivered(delivery)) => Some(delivery),
            Some(Fault::Replaced(_) | Fault::Altered(_) | Fault::Coded(_)) | None => None,
        };
        deliver(stream, &self.answer(&target, &number, &request, fault), delivery).await
    }

    pub(super) fn provider(&self, name: &str) -> Option<&ProviderShape> {
        self.providers.iter().find(|provider| provider.name == name)
    }

    /// The requested service, and the number of the taxpayer as it is written, empty if there is none.
    fn asked(&self, request: &Request) -> Option<(Target, String)> {
        if request.path == official::PATH {
            return Some((Target::Official, official::number_in(request).unwrap_or_default()));
        }
        if request.path == official_rates::TEXT_PATH {
            return Some((Target::RateText, String::new()));
        }
        if request.path.starts_with(official_rates::SERIES_PATH) {
            return Some((Target::RateSeries, String::new()));
        }
        if tokens::client_in(request).is_some() {
            return Some((Target::Token, String::new()));
        }
        if vouchers::requester_in(request).is_some() {
            return Some((Target::Vouchers, vouchers::issuer_in(request).unwrap_or_default()));
        }
        let asked = |provider: &ProviderShape| Some((Target::provider(&provider.name), provider.number_in(request)?));
        self.providers.iter().find_map(asked)
    }

    fn answer(&self, target: &Target, number: &str, request: &Request, fault: Option<Fault>) -> Answer {
        match (target, fault) {
            // The token endpoint fills in the body.
            (Target::Token, Some(Fault::Replaced(Replacement::Body(..)))) => {}
            (_, Some(Fault::Replaced(instead))) => return self.instead(target, number, request, instead),
            _ => {}
        }
        match target {
            Target::Official => official::answer(request, self.taxpayers, fault),
            Target::Provider(name) => match self.provider(name) {
                Some(provider) if provider.lets_in(request) => provider.answer(number, self.taxpayers, fault),
                _ => short(401, Format::Json),
            },
            Target::Token => tokens::answer(request, &self.tokens, fault),
            Target::Vouchers => vouchers::answer(request, &self.tokens, fault),
            Target::RateText => self.rates.text(),
            Target::RateSeries => self.rates.series(request),
        }
    }

    fn instead(&self, target: &Target, number: &str, request: &Request, instead: Replacement) -> Answer {
        let format = match target {
            Target::Provider(_) | Target::Token | Target::Vouchers => Format::Json,
            Target::Official | Target::RateText | Target::RateSeries => Format::Html,
        };
        let html = |page: Page| Answer::text(200, Format::Html, &page::page_for(page));
        match instead {
            Replacement::Status(status) => short(status, format),
            Replacement::Body(status, body) => Answer::text(status, Format::Json, body),
            Replacement::Throttled(None) => short(429, format),
            Replacement::Throttled(Some(retry_after)) => short(429, format).with("Retry-After", retry_after),
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
            Replacement::NotFound => match target {
                Target::Official => Answer::text(200, Format::Html, &page::not_found(number)),
                Target::Provider(name) => {
                    self.provider(name).map_or_else(|| short(404, format), |provider| provider.not_found(number))
                }
                Target::Token | Target::Vouchers | Target::RateText | Target::RateSeries => short(404, format),
            },
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
