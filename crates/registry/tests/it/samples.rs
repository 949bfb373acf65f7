//! Each dataset from a small file in its published form to its fields.

use kuraka_registry::dataset::{ALL, Content, PADRON, RETENCION, SSCO, named};
use kuraka_registry::reader::Reason;
use kuraka_sandbox::sample;

use crate::reading::{Cell, inline, parts, read_named, rows, shared, workbook};
use crate::workspace::{Workspace, fixture};

const NO_CAPACITY: [&str; 9] = [
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

#[test]
fn descriptions_are_consistent() {
    for dataset in ALL {
        assert_eq!(named(dataset.name).unwrap().name, dataset.name);
        assert_eq!(ALL.iter().filter(|other| other.name == dataset.name).count(), 1);
        let keys = dataset.columns.iter().filter(|column| matches!(column.content, Content::Ruc)).count();
        assert_eq!(keys, 1, "{} has one key", dataset.name);
        let mut fields: Vec<_> = dataset.fields().map(|(name, _)| name).collect();
        let count = fields.len();
        fields.sort_unstable();
        fields.dedup();
        assert_eq!(fields.len(), count, "{} has a field twice", dataset.name);
        assert!(count <= 32, "{} has more fields than a record has room for", dataset.name);
        for text in [dataset.title, dataset.publisher, dataset.licence, dataset.attribution, dataset.page] {
            assert!(!text.is_empty(), "{}", dataset.name);
        }
        assert!(dataset.address.starts_with("http") && !dataset.file_names.is_empty());
        for (at, column) in dataset.columns.iter().enumerate().filter(|(_, column)| column.holds_delimiters) {
            let next = dataset.columns[at + 1].content;
            let is_date = matches!(next, Content::Field { kind: kuraka_registry::dataset::FieldKind::Date(_), .. });
            assert!(is_date, "{}: no date follows {}", dataset.name, column.header);
        }
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_known_ones() {
    let error = named("retenciones").unwrap_err().to_string();
    for dataset in ALL {
        assert!(error.contains(dataset.name), "{error}");
    }
}

#[test]
fn withholding_agents_are_read_with_date_and_resolution() {
    let (found, report) = rows(&RETENCION, &fixture("withholding_agents_real_CR_latin1.txt"));
    assert_eq!(
        found,
        [
            "20512081372|2012-06-01|RS R.S.096-2012",
            "20505108672|2006-02-01|RS R.S.254-2005",
            "20100119227|2002-06-01|RS R.S.037-2002",
        ]
    );
    assert_eq!((report.bad_lines.total(), report.encoding), (0, None));
}

#[test]
fn a_workbook_of_subjects_without_capacity_is_read() {
    let header = NO_CAPACITY.iter().map(|name| shared(name)).collect();
    let texts = |ruc, issued, firm| {
        let (name, place) = (shared("EMPRESA FICTICIA S.A.C."), inline("JR. UNO 1"));
        let (document, person) = (Cell::Number(81_234_567.0), shared("MAMANI INVENTADA JUANA"));
        vec![ruc, name, place, shared(" 0230050  12345 "), issued, firm, document, person, Cell::Day(46_265.0)]
    };
    let sheet = [
        header,
        texts(Cell::Number(20_600_000_013.0), Cell::Day(45_850.0), Cell::Day(45_900.75)),
        texts(shared(" 20600000021 "), Cell::Number(45_850.0), inline("31/08/2025")),
        vec![],
        texts(inline("20100190797"), inline("2025-08-31T00:00:00"), Cell::Empty),
        texts(Cell::Number(20_600_000_014.0), Cell::Day(45_850.0), Cell::Empty),
        texts(Cell::Number(20_600_000_013.5), Cell::Day(45_850.0), Cell::Empty),
        texts(Cell::Number(20_600_000_013.0), Cell::Day(-4.0), Cell::Empty),
        vec![inline("Nota: fuente SUNAT")],
    ];
    let (found, report) = rows(&SSCO, &workbook(&parts(&sheet)));
    assert_eq!(
        found,
        [
            "20600000013|0230050 12345|2025-07-12|2025-08-31|2026-08-31",
            "20600000021|0230050 12345|2025-07-12|2025-08-31|2026-08-31",
            "20100190797|0230050 12345|2025-08-31|-|2026-08-31",
        ]
    );
    let counts = [Reason::BadRuc, Reason::BadDate].map(|reason| report.bad_lines.count(reason));
    assert_eq!((counts, report.bad_lines.total()), ([3, 1], 4));
}

#[test]
fn every_piece_of_the_bundled_sample_is_read() {
    // The padrón has a reader of its own; see below.
    for piece in sample::datasets().unwrap().into_iter().filter(|piece| piece.dataset != PADRON.name) {
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
    let report = Workspace::new().import(&PADRON, sample::PADRON);
    assert_eq!((report.rows, report.rejected_lines(), report.left_out), (555, 2, 2));
}
