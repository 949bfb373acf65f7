//! The table of operations. The router, documents, panel, metrics and logs are derived from it. A new operation needs a
//! module here, a file of records in `kuraka-api`, and one line below.

mod cpe;
mod ruc;
mod ruc_official;
mod usage;

use super::endpoint::Endpoint;

/// Every operation of the API.
pub const ENDPOINTS: [Endpoint; 4] = [ruc::ENDPOINT, ruc_official::ENDPOINT, cpe::ENDPOINT, usage::ENDPOINT];
