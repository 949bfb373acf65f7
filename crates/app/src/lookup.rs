//! Taxpayer lookups, and when a "not found" is accepted.

mod absence;
mod age_limits;
mod batch;
mod coverage;
mod detail;
mod exchange_rate;
mod history;
mod open_data;
mod search;
mod taxpayer;

pub use absence::{ContradictedAbsenceError, VerifyAbsence};
pub use age_limits::AgeLimits;
pub use batch::{ListAnswer, ListItem, RegistryAnswer};
pub use coverage::{Gap, GapReason};
pub use detail::{DetailResult, LookupDetail};
pub use exchange_rate::{
    ExchangeRateError, RateSource, RatesOnDay, covered_rates, disagreements, rates_between, rates_in, rates_on,
};
pub(crate) use history::changes;
pub use history::{CoveredPeriods, HistoryError, RecordedTaxpayer};
pub use search::{SearchAnswer, SearchError, SearchFieldError, SearchFields};
pub use taxpayer::{LookupError, LookupTaxpayer, RegistryBatch};
