//! Arbitrary bytes as an edition file or a history: opening refuses it, or every row and lookup is an answer or an error.
//!
//! If the first byte is not 0, the bytes patch a whole edition, whose checksums are then computed again, so that the
//! readers behind the checksums are reached too. The byte chooses the padrón's edition, one of a dataset with fields, or the
//! padrón's history, of which the bytes are a row.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use kuraka_domain::name::SearchMode;
use kuraka_domain::{Date, NameQuery, Ruc, RucKind};
use kuraka_registry::dataset::{DATOS_ABIERTOS, Dataset, PADRON};
use kuraka_registry::history::History;
use kuraka_registry::{Edition, Import, NoProgress, SourceFile, editions, import, open_current, row_id_of};
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

const HEADER: &[u8] =
    b"RUC|NOMBRE O RAZ\xd3N SOCIAL|ESTADO DEL CONTRIBUYENTE|CONDICI\xd3N DE DOMICILIO|UBIGEO|TIPO DE \
V\xcdA|NOMBRE DE V\xcdA|C\xd3DIGO DE ZONA|TIPO DE ZONA|N\xdaMERO|INTERIOR|LOTE|DEPARTAMENTO|MANZANA|KIL\xd3METRO|\n";

/// The folder of the fuzzed file.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// The bytes of a small edition of the padrón.
static SUMMARIES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let row = |n: u32| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
        format!("{ruc}|EMPRESA {n} S.A.|ACTIVO|HABIDO|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|\n")
    };
    edition_of(&PADRON, &[HEADER, row(1).as_bytes(), row(2).as_bytes()].concat())
});

/// The bytes of a small edition of a dataset with a field of each kind.
static FIELDS: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let header = "RUC,Tipo,Actividad_Economica_CIIU_revision3_Principal,Actividad_Economica_CIIU_revision3_Secundaria,\
                  Actividad_Economica_CIIU_revision4_Principal,NroTrab,TipoFacturacion,TipoContabilidad,\
                  ComercioExterior,UBIGEO,PERIODO_PUBLICACION,Estado,Condicion,Departamento,Provincia,Distrito";
    let row = |n: u32, kind: &str| {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
        format!("{ruc},{kind},COMERCIO,-,VENTA,{n},MANUAL,MANUAL,IMPORTADOR,150101,202511,-,-,-,-,-\n")
    };
    let text = format!("{header}\n{}{}", row(1, "SOCIEDAD ANONIMA"), row(2, "OTRA"));
    edition_of(&DATOS_ABIERTOS, text.as_bytes())
});

/// A registry with two editions of the padrón, and its history's bytes.
static HISTORY: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("published");
    for (day, rest) in [(1, "ACTIVO|HABIDO|150101|AV.|GRAU|URB.|SOL|1|2|3|4|5|6|"), (2, "-|-|-|-|-|-|-|-|-|-|-|-|-|")] {
        let row =
            |n: u32| format!("{}|EMPRESA {}|{rest}\n", Ruc::from_parts(RucKind::LegalPerson, n).unwrap(), n * day);
        fs::write(&path, [HEADER, row(day - 1).as_bytes(), row(day).as_bytes(), row(3).as_bytes()].concat()).unwrap();
        let request = Import::new(SourceFile::local(&path), Date::new(2026, 1, day as u8).unwrap());
        import(folder.path(), &PADRON, &Import { force: true, ..request }, &NoProgress).unwrap();
    }
    let bytes = fs::read(History::path(folder.path(), &PADRON)).unwrap();
    (folder, bytes)
});

fn edition_of(dataset: &'static Dataset, published: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("published");
    fs::write(&path, published).unwrap();
    let request = Import::new(SourceFile::local(path), Date::new(2026, 1, 1).unwrap());
    import(folder.path(), dataset, &request, &NoProgress).unwrap();
    fs::read(&editions(folder.path(), dataset).unwrap()[0].path).unwrap()
}

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

/// A history with the facts of `whole` and one block: this row, of the company 1.
fn with_row(whole: &[u8], row: &[u8]) -> Vec<u8> {
    let row = &row[..row.len().min(0x3fff)];
    let keys = [0, row.len() as u8 | 0x80, (row.len() >> 7) as u8];
    // Deflated without compression.
    let length = (row.len() as u16).to_le_bytes();
    let block = [&keys[..], &[1], &length, &length.map(|byte| !byte), row].concat();
    let first = row_id_of(Ruc::from_parts(RucKind::LegalPerson, 1).unwrap());
    let entry = [first, 3, block.len() as u32, crc32(&block)].map(u32::to_le_bytes).concat();
    let tail = [&entry, &whole[whole.len() - number(whole, 24, 4)..]].concat();
    let mut bytes = [&whole[..36], &block, &tail].concat();
    let length = bytes.len() as u64;
    bytes[12..16].copy_from_slice(&16_u32.to_le_bytes());
    bytes[16..24].copy_from_slice(&length.to_le_bytes());
    bytes[28..32].copy_from_slice(&crc32(&tail).to_le_bytes());
    let crc = crc32(&bytes[..32]);
    bytes[32..36].copy_from_slice(&crc.to_le_bytes());
    bytes
}

/// CRC-32, written again so that the fuzzer does not use what it tests.
fn crc32(bytes: &[u8]) -> u32 {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|n| (0..8).fold(n as u32, |crc, _| crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg())))
    });
    !bytes.iter().fold(!0, |crc, &byte| crc >> 8 ^ TABLE[(crc as u8 ^ byte) as usize])
}

fn read_everything(dataset: &'static Dataset, path: &Path) {
    let Ok(edition) = Edition::open(dataset, path) else { return };
    for mode in SearchMode::ALL {
        let (status, condition, department, limit, after) = (None, None, Some("LIMA"), 3, None);
        let words = ["EMPRESA", "S"].map(str::to_owned).to_vec();
        let query = NameQuery { words, mode, status, condition, department, limit, after };
        if let Ok(Some(found)) = edition.search(&query) {
            assert!(found.taxpayers.iter().all(|found| found.ruc.kind() == RucKind::LegalPerson));
        }
    }
    let absent = (0..4).map(|n| Ruc::from_parts(RucKind::LegalPerson, n).unwrap());
    for ruc in edition.rucs().take(1000).flatten().chain(absent) {
        // With valid checksums a record may be another taxpayer's, but it has the RUC that was looked up.
        if let Ok(Some(found)) = edition.summary(ruc) {
            assert_eq!(found.ruc, ruc);
        }
        if let Ok(rows) = edition.rows(ruc) {
            assert!(rows.iter().all(|row| row.len() == dataset.fields().count()));
        }
        let _ = edition.count(ruc);
    }
}

fn read_history(bytes: &[u8]) {
    let folder = HISTORY.0.path();
    fs::write(History::path(folder, &PADRON), bytes).unwrap();
    let Ok(history) = History::open(folder, &PADRON) else { return };
    let edition = open_current(folder, &PADRON).unwrap().edition.unwrap();
    let Some(at) = history.place_of(&edition) else { return };
    for n in 0..5 {
        let ruc = Ruc::from_parts(RucKind::LegalPerson, n).unwrap();
        if let Ok(states) = history.summaries(&edition, at, ruc) {
            assert_eq!(states.last().map(|(place, _)| *place), Some(0));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let Some((&mode, data)) = data.split_first() else { return };
    if mode % 4 == 3 || mode == 0 {
        read_history(&if mode == 0 { data.to_vec() } else { with_row(&HISTORY.1, data) });
    }
    let path: PathBuf = FOLDER.path().join("fuzzed");
    let bytes = match mode {
        0 => data.to_vec(),
        _ if mode % 2 == 1 => patched(&SUMMARIES, data),
        _ => patched(&FIELDS, data),
    };
    let _ = fs::remove_file(&path);
    fs::write(&path, bytes).unwrap();
    read_everything(&PADRON, &path);
    read_everything(&DATOS_ABIERTOS, &path);
});
