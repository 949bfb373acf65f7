//! The agents that withhold part of the VAT of their suppliers.

use super::description::Dataset;
use super::sunat_list::LIST;

/// The agents that withhold part of the VAT of their suppliers.
pub const RETENCION: Dataset = Dataset {
    name: "retencion",
    title: "Agentes de retención del IGV",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet_TXT.zip",
    file_names: &["AgenRet_TXT.txt"],
    ..LIST
};
