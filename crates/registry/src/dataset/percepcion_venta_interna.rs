//! The agents that collect VAT in advance on domestic sales.

use super::description::Dataset;
use super::sunat_list::LIST;

/// The agents that collect VAT in advance on domestic sales.
pub const PERCEPCION_VENTA_INTERNA: Dataset = Dataset {
    name: "percepcion_venta_interna",
    title: "Agentes de percepción del IGV: ventas internas",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPercVI_TXT.zip",
    file_names: &["AgenPercVI_TXT.txt"],
    ..LIST
};
