//! What the handlers of the API share.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use actix_web::web::Data;
use ipnet::IpNet;
use kuraka_app::{Admission, LookupDetail, LookupSummary, Usage, ValidateVoucher};
use kuraka_ports::Clock;

use super::documents::Documents;
use super::endpoint::Endpoint;
use crate::metrics::Metrics;

/// All that the handlers need.
pub struct Api {
    /// The operations that are served.
    pub endpoints: Vec<Endpoint>,
    /// What the API says of itself.
    pub documents: Data<Documents>,
    /// Authenticates callers, and admits and charges their calls.
    pub admission: Admission,
    /// The use case of `POST /ruc`.
    pub lookup_summary: LookupSummary,
    /// The use case of `POST /ruc-official`.
    pub lookup_detail: LookupDetail,
    /// The use case of `POST /cpe`.
    pub validate_voucher: ValidateVoucher,
    /// Accounts' use of their plans.
    pub usage: Arc<Usage>,
    /// Counts the answers.
    pub metrics: Arc<Metrics>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Set when the server begins to stop.
    pub draining: Arc<AtomicBool>,
}
