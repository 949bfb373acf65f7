//! `kuraka search`: companies by name in the editions of this machine, without a server.

use kuraka_sandbox::sample;
use serde_json::Value;

use super::program::Home;

fn home() -> Home {
    let home = Home::new();
    home.import(sample::PADRON);
    home
}

#[test]
fn companies_are_printed_in_a_table_of_80_columns_active_ones_first() {
    let home = home();
    let out = home.run(&["search", "Molín"]).succeeded();
    let rows: Vec<_> = out.lines().map(|line| line.split("  ").map(str::trim).collect::<Vec<_>>()).collect();
    let [heading, active, other] = &rows[..] else { panic!("{out}") };
    let words =
        |row: &[&str]| row.iter().filter(|cell| !cell.is_empty()).map(|cell| (*cell).to_owned()).collect::<Vec<_>>();
    assert_eq!(words(heading), ["RUC", "NOMBRE", "ESTADO", "CONDICION", "DEPTO"]);
    let expected = ["20999990062", "MOLINOS DEL VALLE INVENTA…", "ACTIVO", "HABIDO", "LA LIBERTAD"];
    assert_eq!(words(active), expected);
    assert_eq!(words(other)[2..], ["BAJA DEFINITIVA", "HABIDO", "LIMA"]);
    for name in ["condicion inventada", "minera", "s.a."] {
        let out = home.run(&["search", name, "--limit", "500"]).succeeded();
        assert!(out.lines().all(|line| line.chars().count() <= 80) && out.lines().count() > 10, "{out}");
    }
}

#[test]
fn modes_filters_and_the_limit_choose_the_companies() {
    let home = home();
    let found = |arguments: &[&str]| home.run(&[&["search"], arguments].concat()).succeeded().lines().skip(1).count();
    assert_eq!(found(&["sol de la", "--mode", "prefix"]), 0);
    assert_eq!(found(&["organizacion sol", "--mode", "prefix"]), 1);
    assert_eq!(found(&["olino", "--mode", "contains"]), 1);
    assert_eq!(found(&["molin", "--department", "lima", "--status", "baja definitiva"]), 1);
    let first = home.run(&["search", "minera", "--limit", "3"]);
    assert_eq!((first.stdout.lines().count(), first.code), (4, Some(0)));
    assert!(first.stderr.contains("more than 3: --limit"), "{first:?}");
    let none = home.run(&["search", "nada de esto"]);
    assert_eq!((none.code, none.stdout.as_str(), none.stderr.trim()), (Some(0), "", "no company is found"));
}

#[test]
fn csv_and_ndjson_have_the_eight_fields_of_every_company() {
    let home = home();
    let csv = home.run(&["search", "molinos valle", "--output", "csv"]).succeeded();
    let [heading, company] = csv.lines().collect::<Vec<_>>()[..] else { panic!("{csv}") };
    assert!(heading.starts_with("ruc,nombre_o_razon_social,estado,") && heading.ends_with(",es_buen_contribuyente"));
    assert!(company.starts_with("20999990062,MOLINOS DEL VALLE INVENTADO S.A.A.,ACTIVO,HABIDO,CAR. "), "{company}");
    let lines = home.run(&["search", "molin", "--output", "ndjson"]).succeeded();
    let companies: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        companies.iter().map(|company| company["ruc"].as_str().unwrap()).collect::<Vec<_>>(),
        ["20999990062", "20140996549"]
    );
    assert_eq!(companies[0].as_object().unwrap().len(), 8);
}

#[test]
fn a_refused_search_says_why_and_an_absent_edition_how_to_get_one() {
    let home = home();
    for (arguments, reason) in [
        (&["search", "m"][..], "2 to 100 characters"),
        (&["search", "molinos", "--department", "MIRAFLORES"], "AMAZONAS, ANCASH"),
    ] {
        let line = home.run(arguments).failed();
        assert!(line.contains(reason), "{line}");
    }
    let line = Home::new().run(&["search", "molinos"]).failed();
    assert!(line.starts_with("there is no edition of the padrón: kuraka dataset update "), "{line}");
}
