//! The zip64 form of a zip: read for a dataset whose text may pass 4 GiB, and checked as every other end of a zip.

use kuraka_registry::SourceError;
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, Dataset};
use kuraka_registry::reader::Problem;

use crate::dataset_files::{rows, try_read};
use crate::workspace::zip;

/// Bytes of the last record of a zip without a comment.
const LAST: usize = 22;
const OPEN_DATA: &str = "RUC|Tipo|Actividad_Economica_CIIU_revision3_Principal|\
    Actividad_Economica_CIIU_revision3_Secundaria|Actividad_Economica_CIIU_revision4_Principal|NroTrab|\
    TipoFacturacion|TipoContabilidad|ComercioExterior|UBIGEO|PERIODO_PUBLICACION|Estado|Condicion|Departamento|\
    Provincia|Distrito\n20100190797|SOCIEDAD ANONIMA|LECHE|-|-|2275|-|-|-|040129|202609|-|-|-|-|-\n";

/// A zip with zip64 records. `numbers` changes the fields of the wider record: entries here and in all, length and
/// start of the directory, and the place to which the pointer points.
fn zip64(text: &str, narrow: bool, change: impl FnOnce(&mut [u64; 5])) -> Vec<u8> {
    let plain = zip(&[("PadronRUC_202609.csv", text.as_bytes())]);
    let (body, last) = plain.split_at(plain.len() - LAST);
    let field = |at: usize| u64::from(u32::from_le_bytes(last[at..at + 4].try_into().unwrap()));
    let mut numbers = [1, 1, field(12), field(16), body.len() as u64];
    change(&mut numbers);
    let [.., place] = numbers;
    let mut record = [b"PK\x06\x06".as_slice(), &44_u64.to_le_bytes(), &[45, 0, 45, 0], &[0; 8]].concat();
    record.extend(numbers[..4].iter().flat_map(|number| number.to_le_bytes()));
    let pointer = [b"PK\x06\x07".as_slice(), &[0; 4], &place.to_le_bytes(), &1_u32.to_le_bytes()].concat();
    let mut last = last.to_vec();
    if narrow {
        last[8..20].fill(0xff);
    }
    [body, &record, &pointer, &last].concat()
}

fn refusal(dataset: &'static Dataset, zip: &[u8]) -> SourceError {
    match try_read(dataset, zip).unwrap_err().problem {
        Problem::Source(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn a_zip64_directory_is_read_where_the_text_may_pass_4_gib() {
    for narrow in [true, false] {
        let (found, _) = rows(&DATOS_ABIERTOS, &zip64(OPEN_DATA, narrow, |_| ()));
        assert_eq!(found.len(), 1, "{found:?}");
        let error = refusal(&ANEXOS, &zip64(OPEN_DATA, narrow, |_| ()));
        assert!(error.to_string().contains("zip64"), "{error}");
    }
}

#[test]
fn a_false_zip64_directory_is_refused() {
    for field in 0..5 {
        for lie in [0, 2, 1 << 20, 1 << 40, u64::MAX] {
            for narrow in [true, false] {
                let error = refusal(&DATOS_ABIERTOS, &zip64(OPEN_DATA, narrow, |numbers| numbers[field] = lie));
                let is_refused = matches!(error, SourceError::Zip { .. } | SourceError::Directory { .. });
                assert!(is_refused, "field {field}, {lie}: {error}");
            }
        }
    }
    for entries in [0, 2, u64::MAX] {
        let many = |numbers: &mut [u64; 5]| numbers[..2].fill(entries);
        let error = refusal(&DATOS_ABIERTOS, &zip64(OPEN_DATA, true, many));
        assert!(matches!(error, SourceError::Entries { .. }), "{entries}: {error}");
    }
}
