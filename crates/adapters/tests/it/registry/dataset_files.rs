//! Small files of every dataset in their published forms, and their import.

use std::fs;
use std::path::Path;

use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_generators::padron::LIST_HEADER;
use kuraka_generators::workbook::{Cell, Epoch, workbook};
use kuraka_registry::dataset::Dataset;
use kuraka_registry::{DatasetImport, DatasetReport, NoProgress, Origin, SourceFile, import_dataset};

use super::published::latin1;

/// The day of the files.
pub(crate) const DAY: (u16, u8, u8) = (2026, 11, 21);

/// An invented company.
pub(crate) fn company(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::LegalPerson, 99_990_000 + n).unwrap()
}

/// The company's line in the padrón.
pub(crate) fn company_line(n: u32) -> String {
    format!("{}|EMPRESA INVENTADA {n} S.A.C.|ACTIVO|HABIDO|150101|JR.|UNO|-|-|{n}|-|-|-|-|-|", company(n))
}

/// Imports a file of this content as the dataset.
pub(crate) fn import_file(folder: &Path, dataset: &'static Dataset, content: &[u8]) -> DatasetReport {
    let (year, month, day) = DAY;
    import_dated(folder, dataset, content, Date::new(year, month, day).unwrap(), Origin::Published)
}

/// The same with a file of this day and origin.
pub(crate) fn import_dated(
    folder: &Path,
    dataset: &'static Dataset,
    content: &[u8],
    date: Date,
    origin: Origin,
) -> DatasetReport {
    let file = folder.join("sources").join(dataset.name);
    fs::create_dir_all(folder.join("sources")).unwrap();
    fs::write(&file, content).unwrap();
    let request = DatasetImport {
        source: SourceFile::local(file),
        date: Some(date),
        served_on: None,
        today: Date::new(2026, 11, 21).unwrap(),
        origin,
        force: false,
    };
    import_dataset(folder, dataset, &request, &NoProgress).unwrap()
}

/// A list of these lines, each ended by `end`.
pub(crate) fn list_of(lines: &[String], end: &str) -> Vec<u8> {
    latin1(&format!("{LIST_HEADER}{end}{}{end}", lines.join(end)))
}

/// Annex premises: the lines after the RUC, of this taxpayer each.
pub(crate) fn annexes_of(ruc: Ruc, premises: &[&str]) -> Vec<u8> {
    let header = " RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|LOTE|\
                  DEPARTAMENTO|MANZANA|";
    let lines: String = premises.iter().map(|line| format!("{ruc}|{line}|\n")).collect();
    latin1(&format!("{header}\n{lines}"))
}

/// The open data of these lines.
pub(crate) fn open_data_of(lines: &[String]) -> Vec<u8> {
    let header = "RUC,Estado,Condicion,Tipo,Actividad_Economica_CIIU_revision3_Principal,\
                  Actividad_Economica_CIIU_revision3_Secundaria,Actividad_Economica_CIIU_revision4_Principal,NroTrab,\
                  TipoFacturacion,TipoContabilidad,ComercioExterior,UBIGEO,Departamento,Provincia,Distrito,\
                  PERIODO_PUBLICACION";
    latin1(&format!("{header}\n{}\n", lines.join("\n")))
}

/// The subjects without operating capacity: the cells of RUC, resolution, its day, and the day it became final.
pub(crate) fn incapacities_of(rows: &[[Cell; 4]]) -> Vec<u8> {
    let text = |text: &str| Cell::Text(text.to_owned());
    let header = [
        "RUC",
        "Razón social",
        "Domicilio fiscal",
        "Resolución de atribución como SSCO",
        "Fecha de emisión de la resolución de atribución",
        "Fecha en la que la resolución de atribución quedó firme",
        "RUC o documento de identidad del representante legal",
        "Apellidos y nombres del representante legal",
        "Fecha de publicación",
    ];
    let row = |[ruc, resolution, resolved, last]: &[Cell; 4]| {
        let (ruc, resolution, resolved, last) = (ruc.clone(), resolution.clone(), resolved.clone(), last.clone());
        let (document, person) = (Cell::Number(99_000_001.0), text("REPRESENTANTE INVENTADA JUANA"));
        let published = day(2026, 8, 31);
        vec![ruc, text("EMPRESA"), text("JR. UNO 1"), resolution, resolved, last, document, person, published]
    };
    let sheet: Vec<_> = [header.map(text).to_vec()].into_iter().chain(rows.iter().map(row)).collect();
    workbook("Hoja1", Epoch::Windows, &sheet).unwrap()
}

/// A day in a workbook.
pub(crate) fn day(year: u16, month: u8, day: u8) -> Cell {
    Cell::Day(Epoch::Windows.serial(Date::new(year, month, day).unwrap()))
}

/// Sanctions: RUC, first day, last day, reason.
pub(crate) fn sanctions_of(rows: &[[&str; 4]]) -> Vec<u8> {
    let header = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
                  ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION";
    let line = |[ruc, since, until, reason]: &[&str; 4]| {
        format!("20261101|{ruc}|PROVEEDOR | INVENTADO|{since}|{until}|0123-2024-TCE-S1|3|{reason}\n")
    };
    latin1(&format!("{header}\n{}", rows.iter().map(line).collect::<String>()))
}
