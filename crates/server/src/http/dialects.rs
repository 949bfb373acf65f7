//! The dialects of other providers, served below `/compat/<name>`. A dialect's path belongs to an operation, whose handler
//! answers it; only how fields are named and how the answer is written differs.

use actix_web::http::header::HeaderMap;
use kuraka_adapters::sources::provider_api::{Dialect, DialectAnswer, DialectError, DialectTaxpayer, MatchedForm};
use kuraka_api::{Operation, ruc, ruc_multiple, tipo_de_cambio};
use kuraka_domain::{ResultCode, TaxpayerProfile};
use kuraka_ports::{ProfileParts, RegistrySnapshot};

use super::response::ApiResponse;

/// What a form tells about a taxpayer.
pub(crate) const PARTS: ProfileParts = ProfileParts::FLAGS.and(ProfileParts::LISTS).and(ProfileParts::OPEN_DATA);

pub struct NamedDialect {
    /// The segment after `/compat`.
    pub name: String,
    pub dialect: Dialect,
}

/// The route of a request below `/compat/<name>`.
#[derive(Clone, Copy)]
pub(crate) struct DialectRoute<'a> {
    pub(crate) named: &'a NamedDialect,
    /// `None` = the provider has no such path.
    pub(crate) called: Option<MatchedForm<'a>>,
}

impl NamedDialect {
    /// The path after `/compat/<name>`, if a path is in this dialect.
    pub(crate) fn path<'p>(&self, path: &'p str) -> Option<&'p str> {
        let rest = path.trim_start_matches('/').strip_prefix("compat")?.strip_prefix('/')?;
        let rest = rest.trim_start_matches('/').strip_prefix(self.name.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then_some(rest)
    }
}

impl DialectRoute<'_> {
    /// The operation that answers, and its field that the provider's parameter is.
    pub(crate) fn target(&self) -> Option<(&'static Operation, &'static str)> {
        Some(match &self.called?.form.answer {
            DialectAnswer::Taxpayer(form) if form.is_list() => (&ruc_multiple::OPERATION, "rucs"),
            DialectAnswer::Taxpayer(_) => (&ruc::OPERATION, "ruc"),
            DialectAnswer::ExchangeRate(form) if form.is_list() => (&tipo_de_cambio::OPERATION, "mes"),
            DialectAnswer::ExchangeRate(_) => (&tipo_de_cambio::OPERATION, "fecha"),
        })
    }

    /// The token in one of the provider's own headers.
    pub(crate) fn token<'h>(&self, headers: &'h HeaderMap) -> Option<&'h [u8]> {
        self.named.dialect.token_headers().find_map(|(name, prefix)| {
            let token = headers.get(name)?.as_bytes().strip_prefix(prefix.as_bytes())?;
            // A Bearer token is read as everywhere.
            (!token.starts_with(b"Bearer ")).then(|| token.trim_ascii())
        })
    }

    /// Gives an error the form of the provider.
    pub(crate) fn shape(&self, response: &mut ApiResponse) {
        let form = self.called.map(|called| called.form);
        let not_found = form.and_then(|form| form.not_found.clone());
        let is_absent = matches!(response.code, ResultCode::DocumentNotFound | ResultCode::DateNotCovered);
        let not_found = not_found.filter(|_| is_absent);
        response.reshape(|status, code, message| {
            let error = DialectError { status, code: code.as_str(), message };
            not_found.unwrap_or_else(|| (status, self.named.dialect.error(form, &error)))
        });
    }
}

/// A taxpayer as forms tell it.
pub(crate) fn taxpayer(profile: TaxpayerProfile, snapshot: &dyn RegistrySnapshot) -> DialectTaxpayer {
    let available = snapshot.datasets().iter().filter(|dataset| dataset.edition.is_some());
    DialectTaxpayer { profile, datasets: available.map(|it| it.name).collect(), updated: snapshot.edition().date }
}
