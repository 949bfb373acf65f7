//! The table of operations, from which router, documents, panel, metrics and logs are derived. A new operation needs a
//! module here, a file in `kuraka-api`, and a line below.

mod cambios;
mod cpe;
mod cpe_multiple;
mod ruc;
mod ruc_anexos;
mod ruc_busqueda;
mod ruc_domicilio_fiscal;
mod ruc_ficha;
mod ruc_historial;
mod ruc_multiple;
mod ruc_official;
mod ruc_ssco;
mod seguimiento;
mod tipo_de_cambio;
mod ubigeos;
mod usage;

pub(super) use cambios::change_record;

use super::endpoint::Endpoint;

pub const ENDPOINTS: [Endpoint; 17] = [
    ruc::ENDPOINT,
    ruc_official::ENDPOINT,
    cpe::ENDPOINT,
    ruc_multiple::ENDPOINT,
    cpe_multiple::ENDPOINT,
    ruc_busqueda::ENDPOINT,
    ruc_ficha::ENDPOINT,
    ruc_anexos::ENDPOINT,
    ruc_ssco::ENDPOINT,
    ruc_historial::ENDPOINT,
    ruc_domicilio_fiscal::ENDPOINT,
    seguimiento::CHANGE,
    seguimiento::LIST,
    cambios::ENDPOINT,
    tipo_de_cambio::ENDPOINT,
    ubigeos::ENDPOINT,
    usage::ENDPOINT,
];
