//! The agents that collect VAT in advance on fuel.

use super::description::Dataset;
use super::sunat_list::LIST;

/// The agents that collect VAT in advance on fuel.
pub const PERCEPCION_COMBUSTIBLES: Dataset = Dataset {
    name: "percepcion_combustibles",
    title: "Agentes de percepción del IGV: combustibles",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc_TXT.zip",
    file_names: &["AgenPerc_TXT.txt"],
    ..LIST
};
