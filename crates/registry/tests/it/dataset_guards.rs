//! A dataset's new edition is published if it is plausible after the one before, and once.

use kuraka_domain::{Date, Ruc, RucKind};
use kuraka_registry::dataset::{ANEXOS, BUENOS_CONTRIBUYENTES, DATOS_ABIERTOS, RETENCION};
use kuraka_registry::{
    DatasetImport, DatasetReport, DateOrigin, EditionError, Guard, ImportError, NoProgress, Origin, PublishResult,
    Refusal, dataset_editions, import_dataset, rollback_dataset,
};

use crate::dataset_editions::request;
use crate::workspace::{Workspace, companies, company, date};

const OPEN_DATA: &str = "RUC,Tipo,Actividad_Economica_CIIU_revision3_Principal,\
    Actividad_Economica_CIIU_revision3_Secundaria,Actividad_Economica_CIIU_revision4_Principal,NroTrab,\
    TipoFacturacion,TipoContabilidad,ComercioExterior,UBIGEO,PERIODO_PUBLICACION,Estado,Condicion,Departamento,\
    Provincia,Distrito\n";

/// A list of these companies.
pub(crate) fn list(companies: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let rows = companies.into_iter().map(|n| format!("{}|EMPRESA {n}|01/01/2020|R.S. {n}|\r\n", company(n)));
    format!("Ruc|Nombre/Razon|A partir del|Resolucion|\r\n{}", rows.collect::<String>()).into_bytes()
}

/// A workspace with an edition of `retencion` of 2026-11-20 with these companies.
fn filled(companies: impl IntoIterator<Item = u32>) -> Workspace {
    let workspace = Workspace::new();
    workspace.try_dataset(&RETENCION, "list", &list(companies)).unwrap();
    workspace
}

fn import(
    workspace: &Workspace,
    content: &[u8],
    change: impl Fn(&mut DatasetImport),
) -> Result<DatasetReport, ImportError> {
    let mut request = request(&workspace.file("list", content));
    change(&mut request);
    import_dataset(&workspace.registry(), &RETENCION, &request, &NoProgress)
}

/// Expects a refusal by this guard, which names the dataset, and that force publishes and records it.
fn refused(workspace: &Workspace, content: &[u8], change: impl Fn(&mut DatasetImport)) -> Guard {
    let before = workspace.dataset(&RETENCION).label().to_owned();
    let error = import(workspace, content, &change).unwrap_err();
    let ImportError::Guard(Refusal { dataset, guard }) = &error else { panic!("{error}") };
    assert_eq!(*dataset, "retencion");
    assert!(error.to_string().contains("retencion"), "{error}");
    assert_eq!(workspace.dataset(&RETENCION).label(), before, "refused, yet published");
    let report = import(workspace, content, |request| {
        change(request);
        request.force = true;
    });
    let report = report.unwrap();
    assert_eq!((report.outcome, report.previous), (PublishResult::Published, Some(before)));
    assert_eq!(report.forced[0], *guard);
    assert_eq!(workspace.dataset(&RETENCION).meta().forced[0], guard.to_string());
    guard.clone()
}

#[test]
fn a_shrunken_list_is_refused() {
    let expected = Guard::Shrunk { found: 79, previous: 100, least: 8_000 };
    assert_eq!(refused(&filled(0..100), &list(0..79), |_| ()), expected);
    import(&filled(0..100), &list(0..80), |_| ()).unwrap();
}

#[test]
fn another_list_under_this_name_is_refused() {
    let expected = Guard::KeysGone { sampled: 100, present: 49, least: 5_000 };
    assert_eq!(refused(&filled(0..100), &list(51..200), |_| ()), expected);
    import(&filled(0..100), &list(50..200), |_| ()).unwrap();
    // A small list may change as a whole.
    import(&filled(0..20), &list(100..120), |_| ()).unwrap();
}

#[test]
fn too_many_refused_lines_are_refused() {
    let bad = |lines: usize| [list(0..500), b"bad line\r\n".repeat(lines)].concat();
    let expected = Guard::Rejected { rejected: 101, lines: 601, free: 100, most: 500 };
    assert_eq!(refused(&filled(0..500), &bad(101), |_| ()), expected);
    let workspace = filled(0..500);
    let report = import(&workspace, &bad(100), |_| ()).unwrap();
    assert_eq!(report.rejected_lines(), 100);
    assert_eq!(report.rejected["wrong number of columns"], 100);
    let rejects = std::fs::read_to_string(report.rejects_file.unwrap()).unwrap();
    assert_eq!(rejects.lines().count(), 101);
}

#[test]
fn rows_that_are_left_out_do_not_excuse_refused_lines() {
    let row = |ruc| format!("{ruc},-,-,-,-,-,-,-,-,-,202609,-,-,-,-,-\n");
    let persons = (0..200_000).map(|n| row(Ruc::from_parts(RucKind::NaturalPerson, n).unwrap().to_string()));
    let rows = (0..1_000).map(|n| row(company(n).to_string()));
    let text = [OPEN_DATA.to_owned(), persons.collect(), rows.collect(), "20100190797,-\n".repeat(101)].concat();
    let error = Workspace::new().try_dataset(&DATOS_ABIERTOS, "open.csv", text.as_bytes()).unwrap_err();
    let ImportError::Guard(Refusal { guard, .. }) = error else { panic!("{error}") };
    assert_eq!(guard, Guard::Rejected { rejected: 101, lines: 1_101, free: 100, most: 10 });
}

#[test]
fn an_older_file_is_refused() {
    let older = |request: &mut DatasetImport| request.date = Some(date("2026-11-19"));
    let expected = Guard::Older { found: date("2026-11-19"), current: date("2026-11-20") };
    assert_eq!(refused(&filled(0..50), &list(0..51), older), expected);
}

#[test]
fn an_empty_list_is_refused() {
    assert_eq!(refused(&filled(0..50), &list([]), |_| ()), Guard::NoRows);
}

#[test]
fn a_sample_over_a_published_list_is_refused() {
    let workspace = filled(0..50);
    let current = workspace.dataset(&RETENCION).label().to_owned();
    let sample = |request: &mut DatasetImport| request.origin = Origin::Sample;
    assert_eq!(refused(&workspace, &list(0..51), sample), Guard::SampleOverPublished { current });
}

#[test]
fn a_list_that_was_rolled_back_is_refused_and_three_editions_are_kept() {
    let workspace = Workspace::new();
    let publish = |rows, force: bool| import(&workspace, &list(0..rows), |request| request.force = force);
    let labels: Vec<String> = (100..105).map(|rows| publish(rows, false).unwrap().label).collect();
    let kept = || -> Vec<(String, bool, bool)> {
        let kept = dataset_editions(&workspace.registry(), &RETENCION).unwrap();
        kept.into_iter().map(|it| (it.meta.label, it.current, it.rolled_back)).collect()
    };
    let named = |nth: usize, current, rolled_back| (labels[nth].clone(), current, rolled_back);
    assert_eq!(kept(), [named(4, true, false), named(3, false, false), named(2, false, false)]);
    let done = rollback_dataset(&workspace.registry(), &RETENCION).unwrap();
    assert_eq!((&done.from, &done.to), (&labels[4], &labels[3]));
    assert_eq!(kept(), [named(4, false, true), named(3, true, false), named(2, false, false)]);
    assert_eq!(workspace.dataset(&RETENCION).rows(), 103);

    let error = publish(104, false).unwrap_err();
    let ImportError::Guard(Refusal { guard, .. }) = error else { panic!("{error}") };
    assert_eq!(guard, Guard::RolledBack { label: labels[4].clone() });
    publish(104, true).unwrap();
    assert_eq!(kept(), [named(4, true, false), named(3, false, false), named(2, false, false)]);
}

#[test]
fn a_file_that_was_rolled_back_is_refused_on_another_day_too() {
    let workspace = filled(0..50);
    let bad = import(&workspace, &list(0..51), |_| ()).unwrap().label;
    rollback_dataset(&workspace.registry(), &RETENCION).unwrap();
    let tomorrow = |request: &mut DatasetImport| request.today = date("2026-11-21");
    assert_eq!(refused(&workspace, &list(0..51), tomorrow), Guard::RolledBack { label: bad });
    // By force it is current, so it is no longer refused; nor is another file.
    let dated = |request: &mut DatasetImport| request.date = Some(date("2026-11-22"));
    assert_eq!(import(&workspace, &list(0..51), dated).unwrap().outcome, PublishResult::Published);
    import(&workspace, &list(0..52), dated).unwrap();
}

#[test]
fn an_edition_of_a_file_that_was_rolled_back_is_not_adopted() {
    let workspace = filled(0..50);
    let bad = import(&workspace, &list(0..51), |_| ()).unwrap().label;
    rollback_dataset(&workspace.registry(), &RETENCION).unwrap();
    let builder = Workspace::new();
    import(&builder, &list(0..51), |request| request.today = date("2026-11-21")).unwrap();
    let path = dataset_editions(&builder.registry(), &RETENCION).unwrap().remove(0).path;
    let error = workspace.try_dataset(&RETENCION, "fetched", &std::fs::read(path).unwrap()).unwrap_err();
    let ImportError::Guard(Refusal { guard, .. }) = error else { panic!("{error}") };
    assert_eq!(guard, Guard::RolledBack { label: bad });
}

#[test]
fn the_same_file_is_published_once() {
    let workspace = filled(0..50);
    let again = import(&workspace, &list(0..50), |_| ()).unwrap();
    assert_eq!((again.outcome, again.index_bytes), (PublishResult::Unchanged, 0));
    // The file says no date, so it is the same on another day too.
    let later = import(&workspace, &list(0..50), |request| request.today = date("2026-11-21")).unwrap();
    assert_eq!((later.outcome, later.date, later.label), (PublishResult::Unchanged, date("2026-11-20"), again.label));
    assert_eq!(dataset_editions(&workspace.registry(), &RETENCION).unwrap().len(), 1);
    let served = import(&workspace, &list(0..50), |request| request.served_on = Some(date("2026-11-21"))).unwrap();
    assert_eq!((served.outcome, served.date), (PublishResult::Unchanged, date("2026-11-20")));
    let dated = import(&workspace, &list(0..50), |request| request.date = Some(date("2026-11-21"))).unwrap();
    assert_eq!((dated.outcome, dated.date), (PublishResult::Published, date("2026-11-21")));
}

#[test]
fn an_edition_of_another_machine_is_adopted() {
    let (builder, here) = (filled(0..100), Workspace::new());
    let built = builder.dataset(&RETENCION);
    let path = dataset_editions(&builder.registry(), &RETENCION).unwrap().remove(0).path;
    let file = std::fs::read(&path).unwrap();
    let report = here.try_dataset(&RETENCION, "fetched", &file).unwrap();
    assert!(report.adopted && report.outcome == PublishResult::Published);
    assert_eq!((&*report.label, report.rows, report.date_origin), (built.label(), 100, DateOrigin::Edition));
    let adopted = here.dataset(&RETENCION);
    assert_eq!(adopted.meta(), built.meta());
    assert!(adopted.iter().eq(built.iter()));
    assert_eq!(here.try_dataset(&RETENCION, "fetched", &file).unwrap().outcome, PublishResult::Unchanged);
    assert!(here.file("fetched", &file).exists(), "the file stays where it is");

    // The guards of an import apply.
    let larger = filled(200..400);
    let error = larger.try_dataset(&RETENCION, "fetched", &file).unwrap_err();
    assert!(matches!(error, ImportError::Guard(Refusal { guard: Guard::Shrunk { .. }, .. })), "{error}");
    assert_eq!(larger.dataset(&RETENCION).rows(), 200);
    assert_eq!(std::fs::read_dir(larger.registry().join("datasets/retencion/editions")).unwrap().count(), 1);
}

#[test]
fn an_edition_with_the_same_label_and_other_content_is_adopted() {
    let (builder, other, here) = (filled(0..100), filled(200..300), Workspace::new());
    import(&other, &list(0..100), |request| request.force = true).unwrap();
    let [file, its_other] = [&builder, &other].map(|workspace| {
        let kept = dataset_editions(&workspace.registry(), &RETENCION).unwrap();
        std::fs::read(&kept.iter().find(|it| it.current).unwrap().path).unwrap()
    });
    let labels = [&file, &its_other].map(|file| here.try_dataset(&RETENCION, "fetched", file).unwrap());
    assert_eq!(labels[0].label, labels[1].label);
    assert_eq!(labels[1].outcome, PublishResult::Published);
    assert!(here.dataset(&RETENCION).is_intact());
    assert_eq!(here.try_dataset(&RETENCION, "fetched", &its_other).unwrap().outcome, PublishResult::Unchanged);
}

#[test]
fn an_edition_of_another_dataset_is_refused_by_name() {
    let (builder, here) = (filled(0..100), Workspace::new());
    let path = dataset_editions(&builder.registry(), &RETENCION).unwrap().remove(0).path;
    let list = std::fs::read(path).unwrap();
    let padron = Workspace::new();
    padron.import(&companies(10));
    let padron = std::fs::read(padron.edition_path()).unwrap();
    for (dataset, file, name) in
        [(&BUENOS_CONTRIBUYENTES, &list, "retencion"), (&RETENCION, &padron, "padron"), (&ANEXOS, &padron, "padron")]
    {
        let error = here.try_dataset(dataset, "fetched", file).unwrap_err();
        assert!(error.to_string().contains(dataset.name), "{error}");
        let ImportError::Edition { source, .. } = error else { panic!("{error}") };
        assert!(matches!(&source, EditionError::OtherDataset { found, .. } if found == name), "{source}");
    }
    let fetched = here.file("fetched", &list);
    let error = kuraka_registry::adopt(&here.registry(), &fetched, None, true).unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(source.contains("retencion") && source.contains("padron"), "{source}");
}

#[test]
fn the_padron_is_imported_and_adopted_by_the_same_function() {
    use kuraka_registry::dataset::PADRON;
    let (builder, here) = (Workspace::new(), Workspace::new());
    let report = builder.try_dataset(&PADRON, "padron", &companies(10)).unwrap();
    assert_eq!((report.dataset, report.rows, report.outcome), ("padron", 10, PublishResult::Published));
    let kept = dataset_editions(&builder.registry(), &PADRON).unwrap();
    assert_eq!((kept.len(), &kept[0].meta.label, kept[0].meta.rows), (1, &report.label, 10));
    let file = std::fs::read(builder.edition_path()).unwrap();
    let adopted = here.try_dataset(&PADRON, "fetched", &file).unwrap();
    assert!(adopted.adopted);
    assert_eq!(adopted.label, report.label);
    assert!(here.lookup(company(1)).is_some());
    here.try_dataset(&PADRON, "padron", &companies(11)).unwrap();
    assert_eq!(rollback_dataset(&here.registry(), &PADRON).unwrap().to, report.label);
}

#[test]
fn a_monthly_file_is_dated_by_its_rows() {
    let text = |month: &str| format!("{OPEN_DATA}20100190797,-,-,-,-,-,-,-,-,-,{month},-,-,-,-,-\n");
    for (month, expected, origin) in [
        ("202609", Date::new(2026, 9, 1), DateOrigin::Rows),
        // Not yet, and long before.
        ("202701", Date::new(2026, 11, 20), DateOrigin::Today),
        ("190001", Date::new(2026, 11, 20), DateOrigin::Today),
    ] {
        let report = Workspace::new().try_dataset(&DATOS_ABIERTOS, "open.csv", text(month).as_bytes()).unwrap();
        assert_eq!((report.date, report.date_origin), (expected.unwrap(), origin), "{month}");
    }
}
