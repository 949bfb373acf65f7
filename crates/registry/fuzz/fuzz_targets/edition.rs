//! Arbitrary bytes as an edition file: opening refuses it, or every row and lookup is an answer or an error.
//!
//! If the first byte is not 0, the bytes patch a whole edition, whose checksums are then computed again, so that the
//! readers behind the checksums are reached too. The byte chooses an edition of this version, the recorded edition of
//! version 1, or the edition of a dataset.
#![no_main]

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use flate2::read::GzDecoder;
use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_registry::dataset::DATOS_ABIERTOS;
use kuraka_registry::{
    DatasetEdition, DatasetImport, ImportRequest, NoProgress, OpenEdition, Origin, SourceFile, import, import_dataset,
};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

const HEADER: &[u8] =
    b"RUC|NOMBRE O RAZ\xd3N SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICI\xd3N DE DOMICILIO|UBIGEO|TIPO DE \
V\xcdA|NOMBRE DE V\xcdA|C\xd3DIGO DE ZONA|TIPO DE ZONA|N\xdaMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KIL\xd3METRO|\n";

/// A folder, and the bytes of a small edition.
static WHOLE: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let padron = folder.path().join("padron.txt");
    let row = |n: u32| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
        format!("{ruc}|EMPRESA {n} S.A.|ACTIVO|HABIDO|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|\n")
    };
    fs::write(&padron, [HEADER, row(1).as_bytes(), row(2).as_bytes()].concat()).unwrap();
    let request = ImportRequest {
        padron: SourceFile::local(padron),
        date: None,
        served_on: None,
        today: Date::new(2026, 1, 1).unwrap(),
        origin: Origin::Published,
        force: false,
    };
    let report = import(folder.path(), &request, &NoProgress).unwrap();
    let bytes = fs::read(folder.path().join(format!("editions/{}.kuraka", report.label))).unwrap();
    (folder, bytes)
});

/// The recorded edition of version 1.
static WHOLE_V1: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let recorded = include_bytes!("../../tests/fixtures/edition_of_version_1.kuraka.gz");
    let mut bytes = Vec::new();
    GzDecoder::new(recorded.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
});

/// The bytes of a small edition of a dataset, with a field of each kind.
static WHOLE_DATASET: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("open_data.csv");
    let header = "RUC,Tipo,Actividad_Economica_CIIU_revision3_Principal,Actividad_Economica_CIIU_revision3_Secundaria,\
                  Actividad_Economica_CIIU_revision4_Principal,NroTrab,TipoFacturacion,TipoContabilidad,\
                  ComercioExterior,UBIGEO,PERIODO_PUBLICACION,Estado,Condicion,Departamento,Provincia,Distrito";
    let row = |n: u32, kind: &str| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
        format!("{ruc},{kind},COMERCIO,-,VENTA,{n},MANUAL,MANUAL,IMPORTADOR,150101,202511,-,-,-,-,-\n")
    };
    fs::write(&path, format!("{header}\n{}{}", row(1, "SOCIEDAD ANONIMA"), row(2, "OTRA"))).unwrap();
    let request = DatasetImport {
        source: SourceFile::local(path),
        date: None,
        served_on: None,
        today: Date::new(2026, 1, 1).unwrap(),
        origin: Origin::Published,
        force: false,
    };
    let report = import_dataset(folder.path(), &DATOS_ABIERTOS, &request, &NoProgress).unwrap();
    fs::read(folder.path().join(format!("datasets/datos_abiertos/editions/{}.kuraka", report.label))).unwrap()
});

fn number(bytes: &[u8], at: usize, length: usize) -> usize {
    bytes[at..at + length].iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte))
}

/// The edition with `patch` laid over it: triples of a position (two bytes, in the parts that are not the directory's
/// middle) and a value.
fn patched(whole: &[u8], patch: &[u8]) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let count = number(&bytes, 64, 4);
    let sections: Vec<(usize, usize)> =
        (0..count).map(|n| (number(&bytes, 68 + n * 32 + 16, 8), number(&bytes, 68 + n * 32 + 24, 8))).collect();
    for change in patch.chunks_exact(4) {
        let (offset, length) = sections[usize::from(change[0]) % count];
        let at = number(change, 1, 2);
        let at = if change[0] & 0x80 == 0 { at % length } else { length - 1 - at % length };
        bytes[offset + at] = change[3];
    }
    for (n, &(offset, length)) in sections.iter().enumerate() {
        let section = offset..offset + length;
        if bytes[section.clone()] == whole[section.clone()] {
            continue;
        }
        let crc = crc32(&bytes[section]);
        bytes[68 + n * 32 + 12..][..4].copy_from_slice(&crc.to_le_bytes());
    }
    let end = 68 + count * 32;
    let crc = crc32(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// CRC-32, written again so that the fuzzer does not use what it tests.
fn crc32(bytes: &[u8]) -> u32 {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|n| (0..8).fold(n as u32, |crc, _| crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg())))
    });
    !bytes.iter().fold(!0, |crc, &byte| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize])
}

fn read_everything(path: &Path) {
    let Ok(edition) = OpenEdition::open(path) else { return };
    for row in edition.iter().take(1000).flatten() {
        // With valid checksums a record may be another taxpayer's, but it has the RUC that was looked up.
        if let Ok(Some(found)) = edition.lookup(row.ruc) {
            assert_eq!(found.ruc, row.ruc);
        }
    }
    for ordinal in (0..3).chain([edition.rows(), u64::MAX]) {
        let _ = edition.row(ordinal);
    }
    for n in 0..4 {
        let _ = edition.lookup(Ruc::from_parts(RucKind::LegalPerson, n).unwrap());
    }
}

fn read_dataset(path: &Path) {
    let Ok(edition) = DatasetEdition::open(&DATOS_ABIERTOS, path) else { return };
    for (ruc, rows) in edition.iter().take(1000).flatten() {
        assert!(rows.iter().all(|row| row.values().len() == DATOS_ABIERTOS.fields().count()));
        let _ = edition.lookup(ruc);
    }
    for n in 0..4 {
        let _ = edition.lookup(Ruc::from_parts(RucKind::LegalPerson, n).unwrap());
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, data)) = data.split_first() else { return };
    let (folder, whole) = &*WHOLE;
    let path: PathBuf = folder.path().join("fuzzed");
    let bytes = match mode {
        0 => data.to_vec(),
        _ if mode % 3 == 1 => patched(whole, data),
        _ if mode % 3 == 2 => patched(&WHOLE_DATASET, data),
        _ => patched(&WHOLE_V1, data),
    };
    let _ = fs::remove_file(&path);
    fs::write(&path, bytes).unwrap();
    read_everything(&path);
    read_dataset(&path);
});
