//! All datasets at once: a profile has each one's part, and only what is not imported is not known.

use kuraka_generators::dataset::TextForm;
use kuraka_generators::workbook::Epoch;

use super::{World, annexes, incapacities, lists, open_data, sanctions};

#[test]
fn a_profile_of_all_datasets_equals_the_models() {
    let world = World::new();
    world.compare(
        |it| (it.lists, it.annexes, it.open_data, it.operating_incapacity, it.sanctions),
        |_| (None, None, None, None, None),
    );
    assert_eq!(world.snapshot().missing_datasets().len(), 8);

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
                Some(premises.get(&ruc).map_or(0, Vec::len)),
                Some(open.get(&ruc).cloned()),
                Some(subjects.get(&ruc).cloned()),
                Some(sanctioned.get(&ruc).cloned().unwrap_or_default()),
            )
        },
    );
    let snapshot = world.snapshot();
    let names: Vec<_> = snapshot.datasets().iter().map(|dataset| dataset.name).collect();
    assert_eq!(
        names,
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
    assert!(snapshot.missing_datasets().is_empty());
}
