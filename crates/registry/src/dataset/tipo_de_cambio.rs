//! The exchange rate. It has no editions: `kuraka-adapters` keeps its record. This describes it for people, settings
//! and downloads like the others.

use kuraka_domain::DatasetRole;

use super::description::{DEFAULT, Dataset, Rhythm};
use super::file_form::Limits;

/// The rates that the tax authority publishes, which are the bank supervisor's closes. The address is today's text;
/// past rates are the central bank's series.
pub const TIPO_DE_CAMBIO: Dataset = Dataset {
    name: "tipo_de_cambio",
    title: "Tipo de cambio oficial (dólar)",
    publisher: "SUNAT; Banco Central de Reserva del Perú (BCRP), con datos de la Superintendencia de Banca, Seguros y AFP (SBS)",
    licence: "BCRP: reproducción libre si se cita la fuente; SUNAT: no declarada, información pública",
    attribution: "Fuente del tipo de cambio: SUNAT, y BCRP con datos de la SBS",
    page: "https://e-consulta.sunat.gob.pe/cl-at-ittipcam/tcS01Alias",
    address: "https://www.sunat.gob.pe/a/txt/tipoCambio.txt",
    rhythm: Rhythm::Daily,
    max_age_days: 7,
    role: DatasetRole::ExchangeRate,
    limits: Limits { text: 8 << 20, ratio: 50 },
    when_absent: "La consulta del tipo de cambio responde 503.",
    when_too_old: "Faltan los últimos días; la consulta de esos días responde 503.",
    ..DEFAULT
};
