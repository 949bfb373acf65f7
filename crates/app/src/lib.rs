//! The use cases: authenticate a caller, admit and charge a call, look up a taxpayer's summary or detail, validate a
//! voucher.
//!
//! This crate decides; it refuses to know HTTP, SQL, file formats and the names of sources.

pub mod absence;
pub mod admit;
pub mod authenticate;
pub mod calendar;
mod calls;
mod known_callers;
pub mod lookup_detail;
pub mod lookup_summary;
pub mod own_tokens;
pub mod password_rules;
pub mod plan;
pub mod quota;
pub mod rate;
pub mod secret;
pub mod sign_in;
pub mod throttle;
pub mod token;
pub mod usage;
pub mod validate_voucher;

pub use absence::{AbsenceRule, Contradicted, VerifyAbsence};
pub use admit::{Admit, AdmitError, Grant};
pub use authenticate::{Authenticate, AuthenticateError, Caller};
pub use lookup_detail::LookupDetail;
pub use lookup_summary::{LookupSummary, SummaryAnswer, SummaryError};
pub use own_tokens::{CreateToken, CreateTokenError, OwnTokens};
pub use plan::{Plan, PlanError, Plans};
pub use secret::SessionSecret;
pub use sign_in::{SignIn, SignInError, SignUpError};
pub use token::{ApiToken, TokenFormError};
pub use usage::{Usage, Used};
pub use validate_voucher::ValidateVoucher;
