//! The table of operations. Router, documents, panel, metrics and logs follow it: a new operation is a module here, a
//! record file in `kuraka-api`, and one line below.

mod cpe;
mod ruc;
mod ruc_official;
mod usage;

use super::endpoint::Endpoint;

/// Every operation of the API.
pub const ENDPOINTS: [Endpoint; 4] = [ruc::ENDPOINT, ruc_official::ENDPOINT, cpe::ENDPOINT, usage::ENDPOINT];
