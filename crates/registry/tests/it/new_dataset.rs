//! A dataset that is only described here goes through import and lookup: one description, and no other change.

use kuraka_domain::{DatasetRole, Date, Ubigeo};
use kuraka_registry::changes::{Change, ChangeKind, ChangeList};
use kuraka_registry::dataset::{Column, Dataset, DateForm, FieldKind, GuardLimits, RETENCION, RowsPerRuc, Value};
use kuraka_registry::{Edition, EditionError, EditionWatcher, ImportError, IndexError, rollback};

use crate::published::company;
use crate::workspace::Workspace;

const DATE: FieldKind = FieldKind::Date(DateForm::DayMonthYear);

const COLUMNS: [Column; 6] = [
    Column::ruc("RUC"),
    Column::text("Nombre del local", "nombre"),
    Column::field("Desde", "desde", DATE),
    Column::field("Mesas", "mesas", FieldKind::Integer),
    Column::field("Distrito", "ubigeo", FieldKind::Ubigeo),
    Column::field("Clase", "clase", FieldKind::TaxpayerType),
];

/// The whole addition.
static RESTAURANTS: Dataset = Dataset {
    name: "restaurantes",
    file_names: &["restaurantes.txt"],
    columns: &COLUMNS,
    absent: &["-"],
    role: DatasetRole::List(None),
    rows: RowsPerRuc::Many,
    history: None,
    guards: GuardLimits { rows_kept: 5_000, ..RETENCION.guards },
    ..RETENCION
};

/// As the version before described it: without the class, and with a field that was dropped.
static EARLIER: Dataset = Dataset { columns: &EARLIER_COLUMNS, ..RESTAURANTS };
const EARLIER_COLUMNS: [Column; 6] = [
    Column::text("Apodo", "apodo"),
    Column::ruc("RUC"),
    Column::field("Mesas", "mesas", FieldKind::Integer),
    Column::text("Nombre del local", "nombre"),
    Column::field("Desde", "desde", DATE),
    Column::field("Distrito", "ubigeo", FieldKind::Ubigeo),
];

/// As a later version may describe it: the same field with other values.
static LATER: Dataset = Dataset { columns: &LATER_COLUMNS, ..RESTAURANTS };
const LATER_COLUMNS: [Column; 2] = [Column::ruc("RUC"), Column::text("Mesas", "mesas")];

const HEADER: &str = "Ruc|NOMBRE DEL LOCAL|Desde|Mesas|Distrito|Clase|\n";

#[test]
fn a_described_dataset_is_imported_looked_up_and_rolled_back() {
    let workspace = Workspace::new();
    let row = |n: u32, cells: &str| format!("{}|{cells}|\n", company(n));
    let text = [
        HEADER.to_owned(),
        row(2, "EL ÑANDÚ|31/08/2026|12|150101|Persona natural sin empresa"),
        row(1, "LA ÚLTIMA|01/01/1901|0|-|Sociedad Anónima"),
        row(2, "-|-|-|-|-"),
        row(2, "EL ÑANDÚ|31/12/9999|999999999|250401|POR CLASIFICAR"),
        row(2, "EL ÑANDÚ|31/08/2026|12|150101|PERSONA NATURAL SIN NEGOCIO"),
    ];
    let report = workspace.import(&RESTAURANTS, text.concat().as_bytes());
    assert_eq!((report.rows, report.rucs, report.repeated), (4, 2, 1));
    assert_eq!(report.read.unlisted_wordings, ["POR CLASIFICAR"]);
    let opened = EditionWatcher::new(&workspace.registry(), &RESTAURANTS).reopen().unwrap();
    let edition = opened.edition.unwrap();
    let [name, since, tables, place, class] =
        ["nombre", "desde", "mesas", "ubigeo", "clase"].map(|field| RESTAURANTS.field(field).unwrap());
    let found = edition.rows(company(2)).unwrap();
    let values: Vec<_> = found.iter().map(<[Value<'_>]>::to_vec).collect();
    let date = |year, month, day| Value::Date(Date::new(year, month, day).unwrap());
    let district = |code| Value::Ubigeo(Ubigeo::parse(code).unwrap());
    let new = Value::Text("PERSONA NATURAL SIN NEGOCIO");
    assert_eq!(
        values,
        [
            vec![Value::Text("EL ÑANDÚ"), date(2026, 8, 31), Value::Integer(12), district("150101"), new],
            vec![Value::Absent; 5],
            vec![
                Value::Text("EL ÑANDÚ"),
                date(9999, 12, 31),
                Value::Integer(999_999_999),
                district("250401"),
                Value::Text("POR CLASIFICAR")
            ],
        ]
    );
    let found = edition.rows(company(1)).unwrap();
    let row = found.iter().next().unwrap();
    assert_eq!((row[name], row[since]), (Value::Text("LA ÚLTIMA"), date(1901, 1, 1)));
    assert_eq!((row[tables], row[place]), (Value::Integer(0), Value::Absent));
    assert_eq!(row[class], Value::Text("SOCIEDAD ANONIMA"));
    assert!(edition.rows(company(3)).unwrap().is_empty());

    workspace.import(&RESTAURANTS, text[..4].concat().as_bytes());
    assert_eq!(rollback(&workspace.registry(), &RESTAURANTS).unwrap().to, edition.label());
}

#[test]
fn an_edition_of_another_version_is_read_by_the_names_of_its_fields() {
    let workspace = Workspace::new();
    let text = format!("Apodo|RUC|Mesas|Nombre del local|Desde|Distrito\nTÍO|{}|7|UNO|01/02/2020|150101\n", company(1));
    workspace.import(&EARLIER, text.as_bytes());
    let path = workspace.edition_path(&EARLIER);
    let edition = Edition::open(&RESTAURANTS, &path).unwrap();
    let found = edition.rows(company(1)).unwrap();
    let row = found.iter().next().unwrap();
    let get = |field| row[RESTAURANTS.field(field).unwrap()];
    assert_eq!((get("nombre"), get("mesas"), get("clase")), (Value::Text("UNO"), Value::Integer(7), Value::Absent));
    assert_eq!(get("desde"), Value::Date(Date::new(2020, 2, 1).unwrap()));

    let error = Edition::open(&LATER, &path).unwrap_err();
    assert!(matches!(&error, EditionError::Field { field, .. } if field == "mesas"), "{error}");
    let error = Edition::open(&RETENCION, &path).unwrap_err();
    assert_eq!(error.to_string(), "this is an edition of \"restaurantes\", not of retencion");
}

#[test]
fn a_field_that_one_of_two_editions_does_not_store_is_not_compared() {
    let workspace = Workspace::new();
    let earlier = |n, tables| format!("TÍO|{}|{tables}|LOCAL|01/02/2020|150101\n", company(n));
    let text = ["Apodo|RUC|Mesas|Nombre del local|Desde|Distrito\n".to_owned(), earlier(1, 7), earlier(2, 7)];
    workspace.import(&EARLIER, text.concat().as_bytes());
    let now = |n, tables, class| format!("{}|LOCAL|01/02/2020|{tables}|150101|{class}\n", company(n));
    let text = [HEADER.to_owned(), now(1, 7, "NUEVO"), now(2, 8, "NUEVO")];
    let report = workspace.import(&RESTAURANTS, text.concat().as_bytes());
    let list = ChangeList::open(&report.changes.unwrap().path).unwrap();
    assert_eq!(list.facts().fields, ["nombre", "desde", "mesas", "ubigeo"]);
    let rows =
        |tables: &str| vec![["LOCAL", "2020-02-01", tables, "150101"].map(|text| Some(text.to_owned())).to_vec()];
    let changed = ChangeKind::Rows { removed: rows("7"), added: rows("8") };
    let changes: Vec<_> = list.changes().map(Result::unwrap).collect();
    assert_eq!(changes, [Change { ruc: company(2), kind: changed }]);
}

#[test]
fn a_taxpayer_with_more_rows_than_a_record_may_have_is_refused() {
    let rows = |count: u32| (0..count).map(|n| format!("{}|LOCAL|-|{n}|-|-|\n", company(1))).collect::<String>();
    let text = format!("{HEADER}{}", rows(65_537));
    let workspace = Workspace::new();
    let error = workspace.refusal(&RESTAURANTS, text.as_bytes());
    assert!(matches!(error, ImportError::Index(IndexError::TooLarge { .. })), "{error}");
    let text = format!("{HEADER}{}", rows(65_536));
    workspace.import(&RESTAURANTS, text.as_bytes());
    assert_eq!(workspace.edition(&RESTAURANTS).rows(company(1)).unwrap().len(), 65_536);
}
