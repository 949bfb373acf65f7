//! SUNAT's four lists of taxpayers. They share one header, so only the file's name distinguishes them.

use kuraka_domain::{DatasetRole, ListFlag};

use super::column::{Column, DateForm, FieldKind};
use super::description::{DEFAULT, Dataset, RUC_FAILS};

/// SUNAT refuses these files to clients that are no browser.
pub(super) const BROWSER: &str = "Mozilla/5.0 (compatible; Kuraka)";

/// The name is the padrón's, so it is not kept; quotes and pipes occur in it. Date and resolution are lenient because
/// the membership matters more.
const COLUMNS: [Column; 4] = [
    Column::ruc("Ruc"),
    Column::dropped("Nombre/Razon").holding_delimiters(),
    Column::field("A partir del", "desde", FieldKind::Date(DateForm::DayMonthYear)).lenient(),
    Column::text("Resolucion", "resolucion").lenient(),
];

const LIST: Dataset = Dataset { user_agent: Some(BROWSER), columns: &COLUMNS, history: Some(&[]), ..DEFAULT };

/// Agents that withhold part of the VAT of their suppliers.
pub const RETENCION: Dataset = Dataset {
    name: "retencion",
    title: "Agentes de retención del IGV",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenRet_TXT.zip",
    file_names: &["AgenRet_TXT.txt"],
    role: DatasetRole::List(Some(ListFlag::WithholdingAgent)),
    is_required: true,
    when_absent: RUC_FAILS,
    ..LIST
};

/// Good taxpayers, who pay and file on time.
pub const BUENOS_CONTRIBUYENTES: Dataset = Dataset {
    name: "buenos_contribuyentes",
    title: "Buenos contribuyentes",
    page: "https://www.sunat.gob.pe/descarga/BueCont/BueCont0.html",
    address: "https://www.sunat.gob.pe/descarga/BueCont/BueCont_TXT.zip",
    file_names: &["BueCont_TXT.txt"],
    role: DatasetRole::List(Some(ListFlag::GoodTaxpayer)),
    is_required: true,
    when_absent: RUC_FAILS,
    ..LIST
};

/// Agents that collect VAT in advance on domestic sales.
pub const PERCEPCION_VENTA_INTERNA: Dataset = Dataset {
    name: "percepcion_venta_interna",
    title: "Agentes de percepción del IGV: ventas internas",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPercVI_TXT.zip",
    file_names: &["AgenPercVI_TXT.txt"],
    ..LIST
};

/// Agents that collect VAT in advance on fuel.
pub const PERCEPCION_COMBUSTIBLES: Dataset = Dataset {
    name: "percepcion_combustibles",
    title: "Agentes de percepción del IGV: combustibles",
    page: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc0.html",
    address: "https://www.sunat.gob.pe/descarga/AgentRet/AgenPerc_TXT.zip",
    file_names: &["AgenPerc_TXT.txt"],
    ..LIST
};
