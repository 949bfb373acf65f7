//! The bundled sample's main example, character for character.

use kuraka_domain::Ruc;
use kuraka_ports::contract::registry::ALL_PARTS;
use kuraka_sandbox::sample::{ABSENT, DESCRIBED, OPEN_DATA_ONLY, SANCTIONED, datasets};

use super::World;

#[test]
fn the_samples_described_company_has_lists_annexes_and_open_data() {
    let world = World { folder: tempfile::TempDir::new().unwrap() };
    for piece in datasets().unwrap() {
        world.import(piece.dataset, piece.file_name, &piece.bytes);
    }
    let snapshot = world.snapshot();
    let ruc = |text: &str| Ruc::parse(text).unwrap();
    let profile = |text: &str| snapshot.profile(ruc(text), ALL_PARTS).unwrap();

    let described = profile(DESCRIBED).unwrap();
    let lists = described.lists.unwrap().into_iter();
    let lists: Vec<_> =
        lists.map(|list| format!("{} {} {}", list.dataset, list.since.unwrap(), list.resolution)).collect();
    assert_eq!(
        lists,
        ["buenos_contribuyentes 2024-01-01 RS R.I.0230050-2023", "percepcion_venta_interna 2013-07-01 RS D.S.091-2013"]
    );
    let annexes: Vec<_> = described.annexes.unwrap();
    let annexes: Vec<_> =
        annexes.iter().map(|annex| format!("{} {:?}", annex.address, annex.ubigeo.map(|it| it.to_string()))).collect();
    assert_eq!(described.annex_count, Some(3));
    assert_eq!(
        annexes,
        [
            "JR. GAMARRA NRO. 1157 INT. 2B URB. SAN PABLO Some(\"150101\")",
            "AV. DOLORES NRO. S/N Some(\"040129\")",
            "CAR. PANAMERICANA SUR KM. 12.5 Some(\"211101\")"
        ]
    );
    let open = described.open_data.unwrap().unwrap();
    let activities: Vec<_> = open.activities.iter().map(|activity| &*activity.description).collect();
    assert_eq!(activities, ["FABRICACIÓN DE ARTÍCULOS DE PUNTO Y GANCHILLO", "VTA. MIN. PRODUCTOS TEXTILES Y CALZADO"]);
    assert_eq!((open.taxpayer_type.as_str(), open.workers), ("SOCIEDAD ANONIMA CERRADA", Some(148)));
    assert_eq!((described.operating_incapacity, described.sanctions), (Some(None), Some(vec![])));

    let sanctioned = profile(SANCTIONED).unwrap();
    assert!(sanctioned.operating_incapacity.unwrap().unwrap().final_since.is_some());
    assert_eq!(sanctioned.sanctions.unwrap().iter().map(|one| one.until.is_some()).collect::<Vec<_>>(), [true, false]);
    assert!(profile(OPEN_DATA_ONLY).unwrap().open_data.unwrap().is_some());
    assert_eq!(profile(ABSENT), None);
}
