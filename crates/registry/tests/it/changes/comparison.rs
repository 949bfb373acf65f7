//! What a list of changes has.

use std::fs;
use std::io::Read;

use flate2::read::GzDecoder;
use kuraka_registry::changes::Counts;
use kuraka_registry::dataset::RETENCION;
use kuraka_registry::{PublishResult, adopt, open_current};

use super::{described, import, only_list, rows, undone};
use crate::workspace::{Workspace, company, fixture, line, padron};

#[test]
fn a_list_names_both_editions_and_each_changed_field() {
    let workspace = Workspace::new();
    let unchanged = (100..200).map(|n| line(company(n), "UNA EMPRESA"));
    let with_address =
        |ruc, street: &str| format!("{ruc}|EMPRESA B|ACTIVO|HABIDO|150101|AV.|{street}|-|-|1|-|-|-|-|-|");
    let before = [
        line(company(1), "EMPRESA A"),
        with_address(company(2), "GRAU"),
        line(company(3), "EMPRESA C"),
        line(company(5), "EMPRESA E"),
    ];
    let after = [
        line(company(1), "EMPRESA A").replace("ACTIVO|HABIDO", "BAJA DE OFICIO|NO HABIDO"),
        with_address(company(2), "BOLOGNESI").replace("150101", "-"),
        line(company(4), "EMPRESA D"),
        line(company(5), "EMPRESA ÉÑE"),
    ];
    let first = import(&workspace, 1, &padron(unchanged.clone().chain(before)));
    assert_eq!(first.changes, None);
    let report = import(&workspace, 2, &padron(unchanged.chain(after)));
    let list = only_list(&workspace);
    assert_eq!(
        described(&list),
        [
            format!("{} estado ACTIVO > BAJA DE OFICIO; condicion HABIDO > NO HABIDO", company(1)),
            format!("{} direccion AV. GRAU NRO. 1 > AV. BOLOGNESI NRO. 1; ubigeo 150101 > ", company(2)),
            format!("{} gone", company(3)),
            format!("{} new", company(4)),
            format!("{} nombre_o_razon_social EMPRESA E > EMPRESA ÉÑE", company(5)),
        ]
    );
    let facts = list.facts();
    assert_eq!(facts.dataset, "padron");
    assert_eq!((&facts.from.label, facts.from.taxpayers), (&first.label, 104));
    assert_eq!((&facts.to.label, facts.to.date, facts.to.taxpayers), (&report.label, report.date, 104));
    let recorded = report.changes.unwrap();
    assert_eq!(recorded.counts, Counts { new: 1, gone: 1, changed: 3 });
    assert_eq!((recorded.gap, recorded.bytes), (None, fs::metadata(list.path()).unwrap().len()));
}

#[test]
fn flags_of_the_lists_are_not_compared() {
    let workspace = Workspace::new();
    let text = padron((0..50).map(|n| line(company(n), "UNA EMPRESA")));
    import(&workspace, 1, &text);
    let agents = format!("Ruc|Nombre/Razon|A partir del|Resolucion|\n{}|X|01/01/2020|1|\n", company(1));
    workspace.try_dataset(&RETENCION, "agents", agents.as_bytes()).unwrap();
    import(&workspace, 2, &text);
    assert!(workspace.lookup(company(1)).unwrap().withholding_agent);
    assert_eq!(described(&only_list(&workspace)), [""; 0]);
}

#[test]
fn an_edition_of_version_1_is_compared_with_its_successor() {
    let workspace = Workspace::new();
    let mut recorded = Vec::new();
    GzDecoder::new(fixture("edition_of_version_1.kuraka.gz").as_slice()).read_to_end(&mut recorded).unwrap();
    let file = workspace.file("fetched", &recorded);
    assert_eq!(adopt(&workspace.registry(), &file, None, false).unwrap().outcome, PublishResult::Published);
    let old = workspace.edition();
    // The same taxpayers without their addresses; the first is gone and another one new.
    let same = old.iter().skip(1).map(Result::unwrap);
    let lines =
        same.map(|row| format!("{}|{}|{}|{}|-|-|-|-|-|-|-|-|-|-|-|", row.ruc, row.name, row.status, row.condition));
    import(&workspace, 21, &padron(lines.chain([line(company(1), "UNA EMPRESA MAS")])));
    let list = only_list(&workspace);
    let addresses =
        old.iter().map(Result::unwrap).skip(1).filter(|row| !row.address.is_empty() || row.ubigeo.is_some()).count()
            as u64;
    assert!(addresses > 10 && addresses < old.rows() - 10, "{addresses} of {}", old.rows());
    assert_eq!(list.facts().counts, Counts { new: 1, gone: 1, changed: addresses });
    assert_eq!(undone(&list, rows(&workspace.edition())), rows(&old));
}

#[test]
fn an_adopted_edition_with_its_own_dictionary_is_compared_by_values() {
    let (builder, here) = (Workspace::new(), Workspace::new());
    let lines = |other: u32| {
        (0..300).map(move |n| line(company(n), &format!("EMPRESA {} S.A.", if n == other { 7 } else { n })))
    };
    import(&here, 1, &padron(lines(20)));
    // Built in an empty folder and in another order, so that its words have other numbers.
    import(&builder, 2, &padron(lines(30).rev()));
    let before = open_current(&here.registry()).unwrap().edition.unwrap();
    let fetched = here.file("fetched", &fs::read(builder.edition_path()).unwrap());
    let adoption = adopt(&here.registry(), &fetched, None, true).unwrap();
    assert_eq!(adoption.changes.unwrap().counts, Counts { new: 0, gone: 0, changed: 2 });
    let list = only_list(&here);
    let expected = [(20, "EMPRESA 7 S.A. > EMPRESA 20 S.A."), (30, "EMPRESA 30 S.A. > EMPRESA 7 S.A.")];
    assert_eq!(described(&list), expected.map(|(n, texts)| format!("{} nombre_o_razon_social {texts}", company(n))));
    assert_eq!(undone(&list, rows(&here.edition())), rows(&before));
}
