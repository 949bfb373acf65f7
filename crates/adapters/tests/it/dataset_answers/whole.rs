//! All datasets at once: a profile has each one's part, and only what is not imported is not known.

use kuraka_generators::dataset::TextForm;
use kuraka_generators::workbook::Epoch;
use kuraka_ports::SnapshotDataset;

use super::{World, annexes, incapacities, lists, open_data, sanctions};

#[test]
fn a_profile_of_all_datasets_equals_the_models() {
    let world = World::new();
    world.compare(
        |it| (it.lists, it.annexes, it.open_data, it.operating_incapacity, it.sanctions),
        |_| (None, None, None, None, None),
    );
    let answering = || -> Vec<_> {
        let answers = |dataset: &SnapshotDataset| dataset.edition.as_ref().map(|_| dataset.name);
        world.snapshot().datasets().iter().filter_map(answers).collect()
    };
    assert_eq!(answering(), ["padron"]);

    let (open, premises, subjects, sanctioned) =
        (open_data::rows(), annexes::rows(), incapacities::rows(), sanctions::rows());
    let same: fn(&str) -> String = str::to_owned;
    world.import("datos_abiertos", "PadronRUC_202609.zip", &open_data::file(TextForm::OPEN_DATA, &open, same));
    world.import("anexos", "padron_reducido_local_anexo.zip", &annexes::file(TextForm::ANNEXES, &premises));
    world.import("ssco", "sujesincapacidadOperativa.xlsx", &incapacities::file(Epoch::Windows, &subjects));
    world.import("sanciones", "sancionados.csv", &sanctions::file(TextForm::SANCTIONS, &sanctioned));
    let mut memberships = Vec::new();
    for (index, (dataset, _, file_name)) in lists::LISTS.into_iter().enumerate() {
        let entries = lists::entries(index as u32);
        let file = lists::file(TextForm::LIST, index, &entries);
        world.import(dataset, &format!("{file_name}.zip"), &file);
        memberships.push(lists::model(index, &entries));
    }

    let (open, premises) = (open_data::model(&open, same), annexes::model(&premises));
    let (subjects, sanctioned) = (incapacities::model(&subjects), sanctions::model(&sanctioned));
    world.compare(
        |it| (it.lists, it.annexes, it.open_data, it.operating_incapacity, it.sanctions),
        |ruc| {
            (
                Some(memberships.iter().filter_map(|model| model.get(&ruc).cloned()).collect()),
                Some(premises.get(&ruc).cloned().unwrap_or_default()),
                Some(open.get(&ruc).cloned().map(Box::new)),
                Some(subjects.get(&ruc).cloned()),
                Some(sanctioned.get(&ruc).cloned().unwrap_or_default()),
            )
        },
    );
    assert_eq!(
        answering(),
        [
            "padron",
            "retencion",
            "buenos_contribuyentes",
            "percepcion_venta_interna",
            "percepcion_combustibles",
            "anexos",
            "datos_abiertos",
            "ssco",
            "sanciones"
        ]
    );
}
