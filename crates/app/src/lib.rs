//! The use cases: authenticate a caller, admit and charge a call, look up a taxpayer's summary, detail or profile,
//! validate a voucher.
//!
//! This crate does not depend on HTTP, SQL, file formats or the names of sources.

pub mod absence;
pub mod access;
pub mod accounts;
mod bounded;
pub mod calendar;
pub mod client_network;
pub mod lookup_annexes;
pub mod lookup_detail;
pub mod lookup_operating_capacity;
pub mod lookup_profile;
pub mod lookup_summary;
pub mod metering;
pub mod open_data;
pub mod registry_answer;
pub mod validate_voucher;
mod window_limit;

pub use absence::{AbsenceRule, Contradicted, VerifyAbsence};
pub use access::token::{self, ApiToken, TokenFormError};
pub use access::{
    Admission, AdmitError, AuthenticateError, Caller, Charge, CredentialCache, Grant, Place, Places, Standing,
};
pub use accounts::form_rate::FormRate;
pub use accounts::own_tokens::{self, CreateToken, CreateTokenError, OwnTokens};
pub use accounts::sign_in::{self, ChangePasswordError, LoggedIn, SignIn, SignInError, SignUpError};
pub use accounts::{password_rules, throttle};
pub use client_network::ClientNetwork;
pub use lookup_annexes::LookupAnnexes;
pub use lookup_detail::{DetailResult, LookupDetail};
pub use lookup_operating_capacity::LookupOperatingCapacity;
pub use lookup_profile::{LookupProfile, PublishedProfile};
pub use lookup_summary::LookupSummary;
pub use metering::AccountMeters;
pub use metering::plan::{self, Plan, PlanError, Plans};
pub use metering::usage::{Usage, Used};
pub use metering::{quota, rate};
pub use open_data::OpenDataDetails;
pub use registry_answer::{DatasetAnswer, LookupError, RegistryAnswer};
pub use validate_voucher::ValidateVoucher;
