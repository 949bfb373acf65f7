//! The good taxpayers, who pay and file on time.

use super::description::Dataset;
use super::sunat_list::LIST;

/// The good taxpayers, who pay and file on time.
pub const BUENOS_CONTRIBUYENTES: Dataset = Dataset {
    name: "buenos_contribuyentes",
    title: "Buenos contribuyentes",
    page: "https://www.sunat.gob.pe/descarga/BueCont/BueCont0.html",
    address: "https://www.sunat.gob.pe/descarga/BueCont/BueCont_TXT.zip",
    file_names: &["BueCont_TXT.txt"],
    ..LIST
};
