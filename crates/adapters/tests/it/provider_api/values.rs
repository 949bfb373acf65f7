//! Addresses, activities and days: what providers copy from the official page in their own ways.

use kuraka_domain::{ActivityRank, Date, EconomicActivity};
use serde_json::{Value, json};

use super::made_up::{read_field, record, spec, told};

const SAN_BORJA: [&str; 3] = ["SAN BORJA", "LIMA", "LIMA"];

/// The full address of a street with its district, province and department.
fn full(street: &str, [district, province, department]: [&str; 3]) -> Result<String, String> {
    let parts = ["address", "district", "province", "department"].map(|part| format!("{part} = \"/at/{part}\"\n"));
    let at = json!({ "address": street, "district": district, "province": province, "department": department });
    let told = told(&spec("", &parts.concat()), record("at", at).to_string().as_bytes());
    told.record.map(|record| record.full_address).ok_or(told.reason)
}

#[test]
fn parts_are_joined_from_the_street_to_the_department() {
    assert_eq!(full("AV. LIMA 1", SAN_BORJA).unwrap(), "AV. LIMA 1 - SAN BORJA - LIMA - LIMA");
    assert_eq!(full("", SAN_BORJA).unwrap(), "SAN BORJA - LIMA - LIMA");
    assert_eq!(full("", ["", "", ""]).unwrap(), "");
}

#[test]
fn places_after_the_street_are_not_repeated() {
    let once = "AV. LIMA 1 - SAN BORJA - LIMA - LIMA";
    for street in ["AV. LIMA 1 - LIMA LIMA SAN BORJA", "AV. LIMA 1, LIMA - LIMA - SAN BORJA", once] {
        assert_eq!(full(street, SAN_BORJA).unwrap(), once, "{street}");
    }
}

#[test]
fn a_street_named_after_a_place_keeps_its_name() {
    let cercado = ["LIMA", "LIMA", "LIMA"];
    assert_eq!(full("JR. LIMA", cercado).unwrap(), "JR. LIMA - LIMA - LIMA - LIMA");
    assert_eq!(full("JR. COLLIMA LIMA LIMA", cercado).unwrap(), "JR. COLLIMA LIMA LIMA - LIMA - LIMA - LIMA");
}

#[test]
fn a_department_has_one_name() {
    for spelling in ["CALLAO", "PROV. CONST. DEL CALLAO", "Callao"] {
        let full = full("AV. X", ["BELLAVISTA", "CALLAO", spelling]).unwrap();
        assert_eq!(full, "AV. X - BELLAVISTA - CALLAO - CALLAO");
    }
    assert!(full("AV. X", ["HUANCAYO", "HUANCAYO", "JUNÍN"]).unwrap().ends_with(" - JUNIN"));
    for unknown in ["SANTIAGO", "AV. LIMA"] {
        let reason = full("AV. X", ["A", "B", unknown]).unwrap_err();
        assert!(reason.contains("none of the 25 departments"), "{unknown}: {reason}");
    }
}

#[test]
fn a_condition_that_is_a_dash_is_empty() {
    let condition = |text: &str| {
        let told = told(&spec("", ""), record("condition", json!(text)).to_string().as_bytes());
        told.record.map(|record| record.condition.to_string()).ok_or(told.reason)
    };
    for dash in ["-", "----", " - "] {
        assert_eq!(condition(dash).unwrap(), "", "{dash:?}");
    }
    for nothing in ["", " ", "*****"] {
        assert_eq!(condition(nothing).unwrap_err(), "the field condition is empty or masked", "{nothing:?}");
    }
    let no_status = told(&spec("", ""), record("status", json!("-")).to_string().as_bytes());
    assert_eq!(no_status.reason, "the field status is empty or masked");
}

fn activities(lines: Value) -> Result<Vec<EconomicActivity>, String> {
    read_field("activities", lines).map(|record| record.activities)
}

#[test]
fn rank_code_and_description_are_told_apart() {
    use ActivityRank::{Principal, Secondary};
    let activity = |rank, ciiu: &str, description: &str| EconomicActivity {
        rank,
        ciiu: ciiu.to_owned(),
        description: description.to_owned(),
    };
    assert_eq!(
        activities(json!(["Principal - 4711 - VENTA - MENOR", "Secundaria 1 - 4530 - PARTES"])).unwrap(),
        [activity(Principal, "4711", "VENTA - MENOR"), activity(Secondary, "4530", "PARTES")]
    );
    assert_eq!(
        activities(json!(["75113 - ACTIV. PUBLICA", "75113 - ACTIV. PUBLICA"])).unwrap(),
        [Principal, Secondary].map(|rank| activity(rank, "75113", "ACTIV. PUBLICA"))
    );
    assert_eq!(
        activities(json!(["Principal - CIIU 52322 - VENTAS", "Secundaria 1 - 93098 - "])).unwrap(),
        [activity(Principal, "52322", "VENTAS"), activity(Secondary, "93098", "")]
    );
    assert_eq!(
        activities(json!(["Secundaria 1 - 4530 - PARTES", "Principal - 8411 - X"])).unwrap(),
        [activity(Secondary, "4530", "PARTES"), activity(Principal, "8411", "X")],
        "a provider may have another order than the page"
    );
}

#[test]
fn an_activity_without_a_code_is_unreadable() {
    for line in ["VENTA", "Principal - VENTA", "Principal - 47 - VENTA", "Tercera - 4711 - X"] {
        let reason = activities(json!([line])).unwrap_err();
        assert!(reason.starts_with("an activity is not"), "{line}: {reason}");
    }
}

#[test]
fn a_day_is_read_with_or_without_a_time() {
    let day_of = |text: &str| read_field("registered", json!(text)).map(|record| record.registered);
    let day = Date::new(1992, 10, 9).unwrap();
    for text in ["1992-10-09", "09/10/1992", "1992-10-09T00:00:00.000Z", "1992-10-09 16:11:53", "09/10/1992 00:00"] {
        assert_eq!(day_of(text), Ok(Some(day)), "{text}");
    }
    for text in ["1992-10", "9/10/1992", "1992-10-09Tmorning", "1992-13-09", "719971200", "1992-10-09 X"] {
        let reason = day_of(text).unwrap_err();
        assert!(reason.starts_with("the field registered is no date"), "{text}: {reason}");
    }
}
