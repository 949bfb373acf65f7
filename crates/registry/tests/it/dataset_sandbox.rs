//! The pieces of the bundled sample are read without a bad line, but for the intended ones.

use kuraka_registry::dataset::named;
use kuraka_registry::reader::Reason;
use kuraka_sandbox::sample::datasets;

use crate::dataset_files::read_named;

#[test]
fn every_piece_of_the_sample_is_read() {
    for piece in datasets().unwrap() {
        let dataset = named(piece.dataset).unwrap();
        let (rows, report) = read_named(dataset, piece.file_name, &piece.bytes).unwrap();
        let (expected, bad, left_out) = match piece.dataset {
            "retencion" => (7, 0, 0),
            "buenos_contribuyentes" => (4, 0, 0),
            "percepcion_venta_interna" => (6, 0, 0),
            "percepcion_combustibles" => (3, 0, 0),
            "anexos" => (8, 0, 0),
            "datos_abiertos" => (10, 0, 3),
            "ssco" => (4, 0, 0),
            "sanciones" => (5, 1, 0),
            other => panic!("{other} is not expected"),
        };
        assert_eq!((rows.len(), report.bad_lines.total(), report.left_out), (expected, bad, left_out), "{report:?}");
        assert_eq!(report.bad_lines.count(Reason::BadRuc), bad);
        assert!(report.unread_values.values().all(|count| *count == 0) && report.unknown_columns.is_empty());
    }
}
