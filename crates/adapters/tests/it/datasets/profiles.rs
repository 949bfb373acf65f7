//! Every dataset from a file in its published form to its answer.

use kuraka_adapters::datasets::EmbeddedRegistry;
use kuraka_domain::{
    ActivityRank, AnnexPremises, Date, EconomicActivity, ListMembership, OpenData, OperatingIncapacity, Ruc, Sanction,
    TaxpayerProfile, Ubigeo,
};
use kuraka_generators::workbook::Cell;
use kuraka_ports::TaxpayerRegistry;
use kuraka_registry::dataset::{
    ALL, ANEXOS, BUENOS_CONTRIBUYENTES, DATOS_ABIERTOS, Dataset, PADRON, PERCEPCION_COMBUSTIBLES,
    PERCEPCION_VENTA_INTERNA, RETENCION, SANCIONES, SSCO,
};
use tempfile::TempDir;

use super::files::{
    annexes_of, company, company_line, day, file_of, import_file, incapacities_of, list_of, open_data_of, padron,
    person, person_line, sanctions_of,
};
use super::{flags, open, publish_lists};

fn date(text: &str) -> Option<Date> {
    Some(Date::parse(text).unwrap())
}

fn entry(dataset: &Dataset, title: &'static str, since: Option<&str>, resolution: &str) -> ListMembership {
    let dataset = ALL.iter().find(|known| known.name == dataset.name).unwrap().name;
    ListMembership { dataset, title, since: since.and_then(date), resolution: resolution.to_owned() }
}

fn profile(registry: &EmbeddedRegistry, ruc: Ruc) -> TaxpayerProfile {
    super::profile(&*registry.snapshot().unwrap(), ruc)
}

/// A registry of three invented companies and a person.
fn registry() -> TempDir {
    let folder = TempDir::new().unwrap();
    publish_lists(folder.path(), &[&RETENCION, &BUENOS_CONTRIBUYENTES]);
    import_file(folder.path(), &PADRON, &padron(&[company_line(1), company_line(2), company_line(3), person_line()]));
    folder
}

#[test]
fn each_list_is_answered_with_date_and_resolution() {
    let folder = registry();
    let [one, two] = [company(1), company(2)];
    let named = |line: &str| format!("{one}|EMPRESA \"UNO\" | S.A.C.|{line}|");
    import_file(
        folder.path(),
        &RETENCION,
        &list_of(&[named("01/06/2012|RS R.S.096-2012"), format!("{two}|DOS|31/02/2002|RS 1|")], "\r"),
    );
    import_file(folder.path(), &BUENOS_CONTRIBUYENTES, &list_of(&[format!("{two}|DOS|01/11/2004|-|")], "\n"));
    let twice = [format!("{one}|UNO|  |  RS   R.S.254-2005|"), named("01/01/2020|RS 2")];
    import_file(folder.path(), &PERCEPCION_VENTA_INTERNA, &list_of(&twice, "\r\n"));
    let [internal, fuel] =
        ["Agentes de percepción del IGV: ventas internas", "Agentes de percepción del IGV: combustibles"];
    import_file(folder.path(), &PERCEPCION_COMBUSTIBLES, &list_of(&[named("15/10/2002|RS Nº 3-Ñ")], "\r"));
    let registry = open(&folder);
    let found = profile(&registry, one);
    assert_eq!(
        found.lists.unwrap(),
        [
            entry(&RETENCION, "Agentes de retención del IGV", Some("2012-06-01"), "RS R.S.096-2012"),
            entry(&PERCEPCION_VENTA_INTERNA, internal, None, "RS R.S.254-2005"),
            entry(&PERCEPCION_COMBUSTIBLES, fuel, Some("2002-10-15"), "RS Nº 3-Ñ"),
        ]
    );
    assert_eq!(flags(&found.summary), [Some(true), Some(false)]);
    let found = profile(&registry, two);
    assert_eq!(
        found.lists.unwrap(),
        [
            entry(&RETENCION, "Agentes de retención del IGV", None, "RS 1"),
            entry(&BUENOS_CONTRIBUYENTES, "Buenos contribuyentes", Some("2004-11-01"), ""),
        ]
    );
    assert_eq!(flags(&found.summary), [Some(true); 2]);
    let found = profile(&registry, person());
    assert_eq!(found.lists.unwrap(), []);
    assert_eq!(flags(&found.summary), [Some(false); 2]);
}

#[test]
fn annexes_are_answered_in_order_with_the_line_that_sunat_prints() {
    let folder = registry();
    let premises = [
        "040129|AV.|PERÚ   Y BOLIVIA|URB.|EL ÑANDÚ|123|21.5|4|7|301|B",
        "150101|----|SIN NOMBRE|-|-|S/N|-|-|-|-|-",
        "70101|-|-|Z.I.|LOS FERROLES|-|-|-|14|-|C",
        "-|-|-|-|-|-|-|-|-|-|-",
        "159999|CAR.|PANAMERICANA SUR|-|-|-|12.5|-|-|-|-",
    ];
    import_file(folder.path(), &ANEXOS, &annexes_of(company(1), &premises));
    let registry = open(&folder);
    let annex = |ubigeo: Option<&str>, address: &str| AnnexPremises {
        address: address.to_owned(),
        ubigeo: ubigeo.map(|code| Ubigeo::parse(code).unwrap()),
    };
    let found = profile(&registry, company(1));
    assert_eq!(found.annex_count, Some(5));
    assert_eq!(
        found.annexes.unwrap(),
        [
            annex(Some("040129"), "AV. PERÚ Y BOLIVIA NRO. 123 INT. 4 DPTO. 301 MZA. B LOTE. 7 KM. 21.5 URB. EL ÑANDÚ"),
            annex(Some("150101"), "SIN NOMBRE NRO. S/N"),
            annex(Some("070101"), "MZA. C LOTE. 14 Z.I. LOS FERROLES"),
            annex(None, ""),
            annex(Some("159999"), "CAR. PANAMERICANA SUR KM. 12.5"),
        ]
    );
    for none in [company(2), person()] {
        assert_eq!(profile(&registry, none).annexes, Some(vec![]));
    }
}

fn principal(description: &str) -> EconomicActivity {
    EconomicActivity { rank: ActivityRank::Principal, ciiu: String::new(), description: description.to_owned() }
}

fn secondary(description: &str) -> EconomicActivity {
    EconomicActivity { rank: ActivityRank::Secondary, ..principal(description) }
}

#[test]
fn open_data_are_answered_in_the_wording_of_the_page() {
    let folder = registry();
    let [one, two, three] = [company(1), company(2), company(3)];
    let rest = "150101,LIMA,LIMA,LIMA,202609";
    let lines = [
        format!("{},ACTIVO,HABIDO,PERSONA NATURAL,A,B,C,1,D,E,F,{rest}", person()),
        format!(
            "{one},ACTIVO,HABIDO,Sociedad Anónima,CULTIVO ANTIGUO,VENTA AL POR MENOR - CAFÉ,CULTIVO DE CAFÉ,2275,\
             MANUAL/COMPUTARIZADO,COMPUTARIZADO,IMPORTADOR/EXPORTADOR,{rest}"
        ),
        format!(
            "{two},ACTIVO,HABIDO,Núcleos ejecutores,ENSEÑANZA PRIMARIA,NO DISPONIBLE,NO DISPONIBLE,NO DISPONIBLE,-,NO \
             DISPONIBLE,SIN ACTIVIDAD,{rest}"
        ),
        format!("{three},ACTIVO,HABIDO,SOCIEDAD ANONIMA,,VENTA DE PAN,,,,,,{rest}"),
    ];
    import_file(folder.path(), &DATOS_ABIERTOS, &open_data_of(&lines));
    let registry = open(&folder);
    assert_eq!(
        profile(&registry, one).open_data.unwrap(),
        Some(Box::new(OpenData {
            month: Date::parse("2026-09-01").unwrap(),
            taxpayer_type: "SOCIEDAD ANONIMA".to_owned(),
            activities: vec![principal("CULTIVO DE CAFÉ"), secondary("VENTA AL POR MENOR - CAFÉ")],
            workers: Some(2275),
            issuing_system: "MANUAL/COMPUTARIZADO".to_owned(),
            accounting_system: "COMPUTARIZADO".to_owned(),
            foreign_trade: "IMPORTADOR/EXPORTADOR".to_owned(),
        }))
    );
    assert_eq!(
        profile(&registry, two).open_data.unwrap(),
        Some(Box::new(OpenData {
            month: Date::parse("2026-09-01").unwrap(),
            taxpayer_type: "NUCLEOS EJECUTORES".to_owned(),
            activities: vec![principal("ENSEÑANZA PRIMARIA")],
            workers: None,
            issuing_system: String::new(),
            accounting_system: String::new(),
            foreign_trade: "SIN ACTIVIDAD".to_owned(),
        }))
    );
    assert_eq!(
        profile(&registry, three).open_data.unwrap().map(|data| data.activities),
        Some(vec![secondary("VENTA DE PAN")])
    );
    assert_eq!(profile(&registry, person()).open_data, Some(None), "the open data have legal persons only");
}

#[test]
fn incapacity_and_sanctions_are_answered() {
    let folder = registry();
    let [one, two] = [company(1).to_string(), company(2).to_string()];
    let text = |text: &str| Cell::Text(text.to_owned());
    let rows = [
        [Cell::Number(one.parse().unwrap()), text(" R.I.  0230050900001 "), day(2025, 3, 14), day(2025, 5, 6)],
        [text(&two), Cell::Empty, Cell::Inline("30/09/2025".to_owned()), Cell::Empty],
    ];
    import_file(folder.path(), &SSCO, &incapacities_of(&rows));
    let reason = "PRESENTAR DOCUMENTACIÓN FALSA";
    let rows = [
        [&*one, "20240806", "20270805", reason],
        [&*one, "19980806", "", "RESCISIÓN DEL CONTRATO"],
        [&*person().to_string(), "20250101", "20260101", reason],
    ];
    import_file(folder.path(), &SANCIONES, &sanctions_of(&rows));
    let registry = open(&folder);
    let found = profile(&registry, company(1));
    let first = OperatingIncapacity {
        resolution: "R.I. 0230050900001".to_owned(),
        resolved: date("2025-03-14"),
        final_since: date("2025-05-06"),
    };
    assert_eq!(found.operating_incapacity, Some(Some(first)));
    let sanction = |since: &str, until: Option<&str>, reason: &str| Sanction {
        since: Date::parse(since).unwrap(),
        until: until.and_then(date),
        reason: reason.to_owned(),
    };
    let definitive = sanction("1998-08-06", None, "RESCISIÓN DEL CONTRATO");
    assert_eq!(found.sanctions.unwrap(), [sanction("2024-08-06", Some("2027-08-05"), reason), definitive]);
    let found = profile(&registry, company(2));
    let second = OperatingIncapacity { resolution: String::new(), resolved: date("2025-09-30"), final_since: None };
    assert_eq!((found.operating_incapacity, found.sanctions), (Some(Some(second)), Some(vec![])));
    let found = profile(&registry, person());
    assert_eq!(found.operating_incapacity, Some(None));
    assert_eq!(found.sanctions.unwrap(), [sanction("2025-01-01", Some("2026-01-01"), reason)]);
}

#[test]
fn without_other_datasets_a_profile_is_the_padrons_row() {
    let folder = TempDir::new().unwrap();
    for dataset in ALL {
        import_file(folder.path(), dataset, &file_of(dataset, 1..2));
    }
    let registry = EmbeddedRegistry::open_with(folder.path(), &[&PADRON]).unwrap().0;
    let found = profile(&registry, company(1));
    assert_eq!(found, TaxpayerProfile::from_summary(found.summary.clone()));
    assert_eq!(flags(&found.summary), [None; 2]);
}
