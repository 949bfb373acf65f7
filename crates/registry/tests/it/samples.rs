//! Each dataset from a small file in its published form to its fields.

use kuraka_registry::dataset::{
    ALL, ANEXOS, BUENOS_CONTRIBUYENTES, Content, DATOS_ABIERTOS, Encoding, PADRON, PERCEPCION_COMBUSTIBLES,
    PERCEPCION_VENTA_INTERNA, RETENCION, SANCIONES, SSCO, named,
};
use kuraka_registry::reader::Reason;
use kuraka_sandbox::sample;

use crate::reading::{Cell, inline, parts, person, read_named, rows, shared, workbook};
use crate::workspace::{Workspace, fixture, windows_1252, zip};

const ANNEXES: &str = " RUC|UBIGEO|TIPO DE VÍA|NOMBRE DE VÍA|CÓDIGO DE ZONA|TIPO DE ZONA|NÚMERO|KILÓMETRO|INTERIOR|\
                       LOTE|DEPARTAMENTO|MANZANA|";
const OPEN_DATA: &str = "RUC,Estado,Condicion,Tipo,Actividad_Economica_CIIU_revision3_Principal,\
    Actividad_Economica_CIIU_revision3_Secundaria,Actividad_Economica_CIIU_revision4_Principal,NroTrab,TipoFacturacion,\
    TipoContabilidad,ComercioExterior,UBIGEO,Departamento,Provincia,Distrito,PERIODO_PUBLICACION";
const SANCTIONS: &str = "FECHA_CORTE|RUC|NOMBRE_RAZONODENOMINACIONSOCIAL|FECHA_INICIO|FECHA_FIN|NUMERO_RESOLUCION|\
                         ID_MOTIVO_INFRACCION|DE_MOTIVO_INFRACCION";
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
fn each_list_is_read_with_every_line_end() {
    for (dataset, name) in [
        (&RETENCION, "AgenRet_TXT.txt"),
        (&BUENOS_CONTRIBUYENTES, "BueCont_TXT.txt"),
        (&PERCEPCION_VENTA_INTERNA, "AgenPercVI_TXT.txt"),
        (&PERCEPCION_COMBUSTIBLES, "AgenPerc_TXT.txt"),
    ] {
        for end in ["\r", "\n", "\r\n"] {
            let lines = [
                "Ruc|Nombre/Razon|A partir del|Resolucion|",
                "20100190797|LECHE \"GLORIA\" S.A.|01/11/2004|R.S. 189-2004|",
                // A pipe in the name, a broken date, no date, and a repeated row.
                "20100070970|SUPER|MERCADOS|01/06/2002|RS R.S.037-2002|",
                "20147797100|GOBIERNO|31/02/2002|RS 1|",
                "20505108672|1818 S.A.C||  RS   R.S.254-2005|",
                "20100190797|LECHE \"GLORIA\" S.A.|01/11/2004|R.S. 189-2004|",
            ];
            let text = windows_1252(&(lines.join(end) + end));
            let expected = [
                "20100190797|2004-11-01|R.S. 189-2004",
                "20100070970|2002-06-01|RS R.S.037-2002",
                "20147797100|-|RS 1",
                "20505108672|-|RS R.S.254-2005",
                "20100190797|2004-11-01|R.S. 189-2004",
            ];
            let (found, report) = rows(dataset, &zip(&[(name, &text)]));
            assert_eq!(found, expected, "{} {end:?}", dataset.name);
            assert_eq!((report.bad_lines.total(), report.unread_values["desde"]), (0, 1));
            assert_eq!(read_named(dataset, name, &text).unwrap().0, expected);
        }
    }
}

#[test]
fn annex_premises_are_read_in_their_own_order_of_columns() {
    let text = format!(
        "{ANNEXES}\n20100190797|040129|AV.|PERÚ|URB.|EL ÑANDÚ|123|21.5|4|7|301|B|\n\
         20100190797|150101|----|SIN NOMBRE|-|-|S/N|-|-|-|-|-|\n20100070970|70101|JR.|LIMA|-|-|1|-|-|-|-|-|\n"
    );
    let (found, report) = rows(&ANEXOS, &zip(&[("padron_reducido_local_anexo.txt", &windows_1252(&text))]));
    assert_eq!(
        found,
        [
            "20100190797|040129|AV.|PERÚ|URB.|EL ÑANDÚ|123|21.5|4|7|301|B",
            "20100190797|150101|-|SIN NOMBRE|-|-|S/N|-|-|-|-|-",
            "20100070970|070101|JR.|LIMA|-|-|1|-|-|-|-|-",
        ]
    );
    assert_eq!((report.encoding, report.bad_lines.total()), (Some(Encoding::Windows1252), 0));
}

#[test]
fn open_data_keep_legal_persons_only() {
    let lines = [
        OPEN_DATA.to_owned(),
        format!(
            "{},ACTIVO,HABIDO,PERSONA NATURAL SIN NEGOCIO,VENTA,NO DISPONIBLE,VENTA,NO DISPONIBLE,MANUAL,MANUAL,SIN \
             ACTIVIDAD,150101,LIMA,LIMA,LIMA,202609",
            person(1)
        ),
        "10not a ruc,but a natural person's line".to_owned(),
        "20100190797,ACTIVO,HABIDO,SOCIEDAD ANONIMA,ELABORACION DE PRODUCTOS LACTEOS,NO DISPONIBLE,ELABORACION DE \
         PRODUCTOS LACTEOS,2275,MANUAL/COMPUTARIZADO,COMPUTARIZADO,IMPORTADOR/EXPORTADOR,040129,AREQUIPA,AREQUIPA,JOSE \
         LUIS BUSTAMANTE Y RIVERO,202609"
            .to_owned(),
        "20147797100,ACTIVO,HABIDO,GOBIERNO REGIONAL LOCAL,ADMINISTRACIÓN PÚBLICA,NO DISPONIBLE,NO DISPONIBLE,NO \
         DISPONIBLE,NO DISPONIBLE,NO DISPONIBLE,SIN ACTIVIDAD,40129,A,B,C,202609"
            .to_owned(),
        "20100070970,ACTIVO,HABIDO,NUCLEOS EJECUTORES,-,-,-,0,MANUAL,MANUAL,IMPORTADOR,150101,LIMA,LIMA,LIMA,202609"
            .to_owned(),
        "20100070970,ACTIVO,HABIDO,Sociedad Anónima,-,-,-,NE,MANUAL,MANUAL,IMPORTADOR,150101,LIMA,LIMA,LIMA,202609"
            .to_owned(),
    ];
    let expected = [
        "20100190797|ACTIVO|HABIDO|SOCIEDAD ANONIMA|ELABORACION DE PRODUCTOS LACTEOS|-|ELABORACION DE PRODUCTOS LACTEOS|2275|\
         MANUAL/COMPUTARIZADO|COMPUTARIZADO|IMPORTADOR/EXPORTADOR|040129|2026-09-01",
        "20147797100|ACTIVO|HABIDO|GOBIERNO REGIONAL, LOCAL|ADMINISTRACIÓN PÚBLICA|-|-|-|-|-|SIN ACTIVIDAD|040129|2026-09-01",
        "20100070970|ACTIVO|HABIDO|NUCLEOS EJECUTORES|-|-|-|0|MANUAL|MANUAL|IMPORTADOR|150101|2026-09-01",
    ];
    let text = lines.join("\r\n") + "\r\n";
    for (content, encoding) in [
        (windows_1252(&text), Encoding::Windows1252),
        (text.clone().into_bytes(), Encoding::Utf8),
        (format!("\u{feff}{text}").into_bytes(), Encoding::Utf8),
        (text.replace(',', "|").into_bytes(), Encoding::Utf8),
        (text.replace(',', ";").into_bytes(), Encoding::Utf8),
        (text.replace(',', "\t").into_bytes(), Encoding::Utf8),
    ] {
        let (found, report) = rows(&DATOS_ABIERTOS, &zip(&[("PadronRUC_202609.csv", &content)]));
        assert_eq!(found, expected);
        assert_eq!((report.left_out, report.bad_lines.total(), report.encoding), (2, 1, Some(encoding)));
        assert_eq!(report.bad_lines.count(Reason::BadNumber), 1);
        assert_eq!(report.unlisted_wordings, ["NUCLEOS EJECUTORES"]);
        assert_eq!(report.unlisted_values["tipo_contribuyente"], 1);
    }
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
fn sanctions_without_an_end_are_read() {
    let text = format!(
        "{SANCTIONS}\n\
         20260404|20100994128|CONSTRUCTORA DOS DE MAYO S.A.|19980806||074-1998-TL|12|RESCISION ADMINISTRATIVA DEL \
         CONTRATO\n\
         20260404|20100994128|CONSTRUCTORA|DOS S.A.|20240806|20270806|1234-2024-TCE-S1|3|DOCUMENTACIÓN FALSA\n\
         20260404|{}|FLORES INVENTADO LUIS|20250101|20260101|5-2025|3|DOCUMENTACIÓN FALSA\n\
         20260404|99000012345|FOREIGN CO|20250101|20260101|5-2025|3|DOCUMENTACIÓN FALSA\n\
         20260404|20100190797|GLORIA S.A.||20260101|5-2025|3|DOCUMENTACIÓN FALSA\n",
        person(3)
    );
    let (found, report) = rows(&SANCIONES, &windows_1252(&text));
    assert_eq!(
        found,
        [
            "20100994128|2026-04-04|1998-08-06|-|074-1998-TL|12|RESCISION ADMINISTRATIVA DEL CONTRATO".to_owned(),
            "20100994128|2026-04-04|2024-08-06|2027-08-06|1234-2024-TCE-S1|3|DOCUMENTACIÓN FALSA".to_owned(),
            format!("{}|2026-04-04|2025-01-01|2026-01-01|5-2025|3|DOCUMENTACIÓN FALSA", person(3)),
        ]
    );
    let counts = [Reason::BadRuc, Reason::MissingValue].map(|reason| report.bad_lines.count(reason));
    assert_eq!(counts, [1, 1]);
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
