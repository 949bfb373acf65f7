//! A list of changes of another server may be silent about natural persons, and says nothing that is not so.

use kuraka_domain::{Ruc, RucKind};

use super::published::{company, file};
use super::workspace::Workspace;
use crate::changes::{AdoptListsError, BuilderLists, Change, ChangeKind, FetchedList, list_files, rewrite};
use crate::dataset::PADRON;
use crate::folder::disk::SystemDisk;

fn person(n: u32) -> Ruc {
    Ruc::from_parts(RucKind::NaturalPerson, 40_000_000 + n).unwrap()
}

/// Publishes a day of five companies and five persons, whose names have the day.
fn publish(workspace: &Workspace, day: u8) {
    let keys = (0..5).flat_map(|n| [company(n), person(n)]).map(|ruc| (ruc.to_string(), day.into()));
    workspace.import(&SystemDisk, &workspace.request(day, &file(&PADRON, keys))).unwrap();
}

/// What a server that has the day before makes of the builder's list after this edit, with and without required checksums.
fn adopted(edit: impl Fn(Change) -> Option<Change>) -> Vec<Result<u64, AdoptListsError>> {
    let builder = Workspace::for_dataset(&PADRON);
    publish(&builder, 1);
    let before = builder.copy();
    publish(&builder, 2);
    let [list] = list_files(&builder.registry(), &PADRON).unwrap().try_into().unwrap();
    rewrite(&SystemDisk, &list, edit).unwrap();
    let of = |sha256| {
        let here = before.copy();
        let name = list.file_name().unwrap().to_str().unwrap().to_owned();
        let fetched = vec![FetchedList { name: name.clone(), file: list.clone(), written: None }];
        let lists = Some(BuilderLists { names: vec![name], fetched, sha256 });
        let edition = std::fs::read(builder.current()).unwrap();
        let report = here.import(&SystemDisk, &crate::Import { lists, ..here.request(2, &edition) }).unwrap();
        let told = report.changes.unwrap().counts.total();
        report.lists_error.map_or(Ok(told), Err)
    };
    vec![of(None), of(Some(std::collections::HashMap::new()))]
}

#[test]
fn a_list_may_lack_persons_only() {
    for (lacks, told) in [(None, Some(10)), (Some(person(3)), Some(9)), (Some(company(3)), None)] {
        for found in adopted(|change| (Some(change.ruc) != lacks).then_some(change)) {
            match told {
                Some(told) => assert_eq!(found.unwrap(), told),
                None => assert!(found.unwrap_err().to_string().contains("does not say what changed")),
            }
        }
    }
}

#[test]
fn a_list_with_another_value_or_another_person_is_refused() {
    let forged = |mut change: Change| {
        if let ChangeKind::Changed { fields } = &mut change.kind
            && change.ruc == person(2)
        {
            fields[0].before = Some("INVENTADO".to_owned());
        }
        Some(change)
    };
    let other = |mut change: Change| {
        if change.ruc == person(4) {
            change.ruc = person(5);
        }
        Some(change)
    };
    for found in adopted(forged).into_iter().chain(adopted(other)) {
        assert!(found.unwrap_err().to_string().contains("does not say what changed"));
    }
}
