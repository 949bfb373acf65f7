//! All datasets at once, in each of the forms: a profile has each one's part, and only what is not imported is not known.

use kuraka_domain::ListMembership;
use kuraka_ports::SnapshotDataset;

use super::{World, annexes, incapacities, lists, open_data, sanctions};

impl World {
    /// The datasets that have an edition.
    fn answering(&self) -> Vec<&'static str> {
        let answers = |dataset: &SnapshotDataset| dataset.edition.as_ref().map(|_| dataset.name);
        self.snapshot().datasets().iter().filter_map(answers).collect()
    }
}

#[test]
fn a_profile_of_all_datasets_equals_the_models() {
    for variant in 0..4 {
        let world = World::new();
        world.compare(
            |it| (it.lists, it.annexes, it.open_data, it.operating_incapacity, it.sanctions),
            |_| (None, None, None, None, None),
        );
        assert_eq!(world.answering(), ["padron"]);

        let (open, premises) = (open_data::import(&world, variant), annexes::import(&world, variant));
        let (subjects, sanctioned) = (incapacities::import(&world, variant), sanctions::import(&world, variant));
        let lists = lists::import(&world, variant);
        world.compare(
            |it| (it.annex_count, it.annexes, it.open_data, it.operating_incapacity, it.sanctions),
            |ruc| {
                let premises = premises.get(&ruc).cloned().unwrap_or_default();
                (
                    Some(premises.len()),
                    Some(premises),
                    Some(open.get(&ruc).cloned().map(Box::new)),
                    Some(subjects.get(&ruc).cloned()),
                    Some(sanctioned.get(&ruc).cloned().unwrap_or_default()),
                )
            },
        );
        world.compare(
            |it| (it.summary.withholding_agent, it.summary.good_taxpayer, it.lists),
            |ruc| {
                let memberships: Vec<ListMembership> =
                    lists.iter().filter_map(|list| list.get(&ruc).cloned()).collect();
                (Some(lists[0].contains_key(&ruc)), Some(lists[1].contains_key(&ruc)), Some(memberships))
            },
        );
        assert_eq!(
            world.answering(),
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
}
