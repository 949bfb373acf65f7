//! The state that all handlers of the API share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::web::Data;
use ipnet::IpNet;
use kuraka_app::{
    Admission, LookupAnnexes, LookupDetail, LookupOperatingCapacity, LookupProfile, LookupSummary, Places, Usage,
    ValidateVoucher,
};
use kuraka_ports::Clock;

use super::documents::Documents;
use crate::metrics::Metrics;

/// The shared state of the API's handlers.
pub struct Api {
    /// `/openapi.json` and `/llms.txt`.
    pub documents: Data<Documents>,
    /// Authenticates callers, and admits and charges their calls.
    pub admission: Admission,
    /// The places for calls in progress, in the order of the table of operations.
    pub places: Arc<[Places]>,
    /// The use case of `POST /ruc`.
    pub lookup_summary: LookupSummary,
    /// The use case of `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// The use case of `POST /ruc-ficha`.
    pub lookup_profile: LookupProfile,
    /// The use case of `POST /ruc-anexos`.
    pub lookup_annexes: LookupAnnexes,
    /// The use case of `POST /ruc-ssco`.
    pub lookup_operating_capacity: LookupOperatingCapacity,
    /// The use case of `POST /cpe`.
    pub validate_voucher: ValidateVoucher,
    /// The used queries of accounts.
    pub usage: Arc<Usage>,
    /// Counts the answers.
    pub metrics: Arc<Metrics>,
    /// The time of day, and durations.
    pub clock: Arc<dyn Clock>,
    /// The proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: Vec<IpNet>,
    /// True once the server is stopping.
    pub draining: Arc<AtomicBool>,
}
