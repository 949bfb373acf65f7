//! What both import targets share: one file imported into a fresh folder.

use std::fs;

use kuraka_domain::Date;
use kuraka_registry::{ImportError, ImportReport, ImportRequest, NoProgress, OpenEdition, Origin, SourceFile, import};
use tempfile::TempDir;

pub const HEADER: &[u8] = b"RUC|NOMBRE O RAZ\xd3N SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICI\xd3N DE DOMICILIO|UBIGEO|\
TIPO DE V\xcdA|NOMBRE DE V\xcdA|C\xd3DIGO DE ZONA|TIPO DE ZONA|N\xdaMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|\
KIL\xd3METRO|\n";

/// Imports these bytes and opens what comes of them.
pub fn imported(padron: &[u8]) -> Result<(TempDir, ImportReport, OpenEdition), ImportError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("padron");
    fs::write(&path, padron).unwrap();
    let request = ImportRequest {
        padron: SourceFile::local(path),
        date: None,
        served_on: None,
        today: Date::new(2026, 1, 1).unwrap(),
        origin: Origin::Published,
        force: true,
    };
    let report = import(folder.path(), &request, &NoProgress)?;
    let edition = OpenEdition::open(&folder.path().join(format!("editions/{}.kuraka", report.label))).unwrap();
    Ok((folder, report, edition))
}
