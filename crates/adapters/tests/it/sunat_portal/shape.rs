//! What shows damage in a page that is whole, and what does not: real pages vary, and an unknown word is no damage.

use kuraka_adapters::sources::ActivityError;
use kuraka_adapters::sources::sunat_portal::{AnswerError, Label, UnreadablePageError};
use kuraka_domain::{ActivityRank, TaxpayerDetail};

use super::pages::{bytes, case};

/// An entry of a list.
fn entry(text: &str) -> String {
    format!("<tr><td>{text}</td></tr>")
}

/// The page with every detail, in which each of these texts is replaced.
fn changed(changes: &[(&str, &str)]) -> Result<TaxpayerDetail, UnreadablePageError> {
    let page = case("everything_else");
    let mut text = page.text();
    for (old, new) in changes {
        assert!(text.contains(old), "the page holds {old}");
        text = text.replacen(old, new, 1);
    }
    page.read(&bytes(&text)).map(|record| record.unwrap()).map_err(unreadable)
}

fn unreadable(error: AnswerError) -> UnreadablePageError {
    let AnswerError::Unreadable(why) = error else { panic!("{error}") };
    why
}

const PRINCIPAL: &str = "Principal    - 5610 - ACTIVIDADES DE RESTAURANTES - SIN ENTREGA";
const LAST: &str = "Secundaria 2 - 93098  - ";
const SYSTEM: &str = "FACTURA PORTAL                      DESDE 28/05/2024";
const ELECTRONIC: &str = "FACTURA (desde 23/03/2015),BOLETA (desde 25/10/2018)";
const REGISTER: &str = "Excluido del R&eacute;gimen de Buenos Contribuyentes";

#[test]
fn activities_must_be_numbered_without_a_gap() {
    for (old, new) in [
        (entry(PRINCIPAL), String::new()),
        (entry(PRINCIPAL), entry("Secundaria 1 - 5610 - RESTAURANTES")),
        (LAST.to_owned(), LAST.replace('2', "3")),
        (LAST.to_owned(), LAST.replace('2', "1")),
        (LAST.to_owned(), LAST.replace("Secundaria 2", "Principal   ")),
        (entry(LAST), entry(LAST) + &entry("Secundaria 4 - 4711 - VENTAS")),
    ] {
        assert_eq!(changed(&[(&old, &new)]), Err(ActivityError::Numbering.into()), "{old} to {new}");
    }
}

#[test]
fn a_value_must_be_there_and_stand_alone() {
    for (old, new) in [
        // A label without a value.
        (">SIN ACTIVIDAD<", "><"),
        (">SIN ACTIVIDAD<", ">  <"),
        (ELECTRONIC, ""),
        (">10/01/2017<", "><"),
        (SYSTEM, ""),
        ("LA &Ntilde;APA", ""),
        // Two values in one.
        (">SIN ACTIVIDAD<", ">SIN ACTIVIDADSIN ACTIVIDAD<"),
        (">SOCIEDAD ANONIMA CERRADA<", ">SOCIEDAD ANONIMA CERRADASOCIEDAD ANONIMA CERRADA<"),
        ("FACTURA</td>", "FACTURABOLETA DE VENTA</td>"),
        (SYSTEM, "FACTURA PORTAL DESDE 28/05/2024SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017"),
        ("SIN ENTREGA<", "SIN ENTREGASecundaria 1 - 5320 - MENSAJERO<"),
        ("01/06/2003<", "01/06/2003Excluido del R&eacute;gimen de Buenos Contribuyentes<"),
        (ELECTRONIC, "FACTURA (desde 23/03/2015)BOLETA (desde 25/10/2018)"),
        ("</br>Afecto al Nuevo RUS: ", ""),
    ] {
        let error = changed(&[(old, new)]).unwrap_err();
        let fits = matches!(
            error,
            UnreadablePageError::Blank(_)
                | UnreadablePageError::Doubled(_)
                | UnreadablePageError::Line(_)
                | UnreadablePageError::Date { .. }
                | UnreadablePageError::Activity(ActivityError::Joined)
        );
        assert!(fits, "{old} to {new}: {error:?}");
    }
}

#[test]
fn a_line_must_have_the_form_of_its_list() {
    for (old, new) in [
        ("BOLETA DE VENTA</td>", "Secundaria 1 - 5320 - MENSAJERO</td>"),
        ("BOLETA DE VENTA</td>", "SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017</td>"),
        ("BOLETA DE VENTA</td>", "Incorporado al R&eacute;gimen de Agentes</td>"),
        ("BOLETA DE VENTA</td>", "NINGUNO</td>"),
        ("BOLETA DE VENTA</td>", "-</td>"),
        ("BOLETA DE VENTA</td>", "HABIDO</td>"),
        (SYSTEM, "BOLETA DE VENTA"),
        (SYSTEM, "NINGUNO"),
        (SYSTEM, "FACTURA (desde 23/03/2015)"),
        (SYSTEM, "Secundaria 1 - 5320 - MENSAJERO"),
        (SYSTEM, "Incorporado al R&eacute;gimen de Agentes"),
        ("LA &Ntilde;APA", "DNI 99999007 - PEREZ , JUAN"),
        ("LA &Ntilde;APA", "eeee"),
        (REGISTER, "FACTURA (desde 23/03/2015)</td></tr><tr><td>Excluido"),
        (ELECTRONIC, "GOBIERNO REGIONAL, LOCAL"),
        (ELECTRONIC, "FACTURA (desde 23/13/2015)"),
        (REGISTER, "NOTA DE CREDITO</td></tr><tr><td>Excluido"),
        (REGISTER, "Principal - 5610 - RESTAURANTES</td></tr><tr><td>Excluido"),
        (REGISTER, "FACTURA PORTAL DESDE 28/05/2024</td></tr><tr><td>Excluido"),
        (">SOCIEDAD ANONIMA CERRADA<", ">NINGUNO<"),
        (">SIN ACTIVIDAD<", ">10/01/2017<"),
        // Words that run together.
        ("BOLETA DE VENTA</td>", "FACTURABOLETA DE VENTA</td>"),
        ("BOLETA DE VENTA</td>", "FACTURA NOTA DE CREDITO</td>"),
        ("BOLETA DE VENTA</td>", "FACTURAFACTURANOTA DE DEBITO</td>"),
        ("BOLETA DE VENTA</td>", "FACTURADOCUMENTO</td>"),
    ] {
        let error = changed(&[(old, new)]).unwrap_err();
        assert!(matches!(error, UnreadablePageError::Line(_)), "{old} to {new}: {error:?}");
    }
}

#[test]
fn a_known_word_must_not_stand_in_another_row() {
    for changes in [
        [(">SIN ACTIVIDAD<", ">SOCIEDAD ANONIMA CERRADA<"), (">SOCIEDAD ANONIMA CERRADA<", ">SIN ACTIVIDAD<")],
        [("LA &Ntilde;APA", "SIN ACTIVIDAD"), (">SIN ACTIVIDAD<", ">LA NAPA<")],
        [("EN REVISION ESPECIAL", "NO HABIDO"), (">SOCIEDAD ANONIMA CERRADA<", ">SOCIEDAD ANONIMA<")],
        [("EN REVISION ESPECIAL", "FACTURA"), ("FACTURA</td>", "EN REVISION ESPECIAL</td>")],
    ] {
        let error = changed(&changes).unwrap_err();
        assert!(matches!(error, UnreadablePageError::Exchanged { .. }), "{changes:?}: {error:?}");
    }
}

#[test]
fn several_words_of_a_row_are_joined_with_a_slash() {
    for words in ["MANUAL/COMPUTARIZADO", "IMPORTADOR/EXPORTADOR"] {
        let error = changed(&[("EN REVISION ESPECIAL", words)]).unwrap_err();
        assert!(matches!(error, UnreadablePageError::Exchanged { label: Label::Status, .. }), "{words}: {error:?}");
    }
    // No words of another row.
    let record = changed(&[("EN REVISION ESPECIAL", "MANUALCOMPUTARIZADO")]).unwrap();
    assert_eq!(record.status.as_str(), "MANUALCOMPUTARIZADO");
}

#[test]
fn what_real_pages_may_hold_is_no_damage() {
    let more = entry(LAST) + &entry("Secundaria 3 - CIIU 52322 - VENTAS");
    for (old, new) in [
        // Words that are not known, and known ones in another combination.
        ("BOLETA DE VENTA</td>", "DOCUMENTO NUEVO - LEY N\u{b0} 29972</td>"),
        ("BOLETA DE VENTA</td>", "GUIA DE REMISION - REMITENTE</td>"),
        ("BOLETA DE VENTA</td>", "FACTURAS</td>"),
        ("BOLETA DE VENTA</td>", "FACTURA DE EXPORTACION</td>"),
        ("BOLETA DE VENTA</td>", "NOTA DE CREDITO</td>"),
        (SYSTEM, "RECIBOS POR HONORARIOS     AFILIADO DESDE 29/02/2024"),
        (SYSTEM, "SISTEMA NUEVO DESDE 28/05/2024 (PROVISIONAL)"),
        (ELECTRONIC, "FACTURA (desde 23/03/2015), DOCUMENTO NUEVO (desde 25/10/2018)"),
        (SYSTEM, "FACTURA PORTAL"),
        (SYSTEM, "FACTURA PORTAL DESDE -"),
        (SYSTEM, "SEE-FACTURADOR . AUTORIZ DESDE 10/01/2017. BAJA DESDE 02/02/2020"),
        (ELECTRONIC, "-"),
        (ELECTRONIC, "NINGUNO"),
        (REGISTER, "Incluido en el padr&oacute;n nuevo (Ley 1 del 02/03/2004) desde 2004; Excluido"),
        (">SIN ACTIVIDAD<", ">IMPORTADOR/EXPORTADOR<"),
        (">SIN ACTIVIDAD<", ">AGENTE NUEVO<"),
        (
            REGISTER,
            "Incorporado al (R&eacute;gimen de Buenos Contribuyentes) a partir del 1 y a partir del 2; Excluido",
        ),
        (">SOCIEDAD ANONIMA CERRADA<", ">SOCIEDAD NUEVA<"),
        (">10/01/2017<", ">-<"),
        // Names of businesses.
        ("LA &Ntilde;APA", "-"),
        ("LA &Ntilde;APA", "BORA BORA"),
        ("LA &Ntilde;APA", "CHINCHIN"),
        ("LA &Ntilde;APA", "MANUAL"),
        ("LA &Ntilde;APA", "NINGUNO"),
        ("LA &Ntilde;APA", "ACTIVIDADES 28/07/1821"),
        ("LA &Ntilde;APA", "28/07/1821"),
        ("LA &Ntilde;APA", "ASOCIACION"),
        ("LA &Ntilde;APA", "DNI"),
        ("LA &Ntilde;APA", "NEGOCIOS 20999991018"),
        // More activities than in any recorded page, fewer, and without rank or description.
        (&entry(LAST), more.as_str()),
        (&entry(LAST), ""),
        (LAST, "93098  - "),
        (&entry(PRINCIPAL), &entry("5610  - RESTAURANTES")),
    ] {
        let record = changed(&[(old, new)]);
        assert!(record.is_ok(), "{old} to {new}: {record:?}");
    }
}

#[test]
fn a_taxpayer_without_activities_is_read() {
    let all = |first: &str| {
        let middle = "<tr><td>Secundaria 1 - 5320  - ACTIVIDADES DE MENSAJER\u{cd}A</td></tr>";
        changed(&[(PRINCIPAL, first), (middle, ""), (&entry(LAST), "")])
    };
    for none in ["-", "NINGUNO"] {
        assert_eq!(all(none).unwrap().activities, []);
    }
    let only = all("8411 - X").unwrap().activities;
    assert_eq!((only.len(), only[0].rank), (1, ActivityRank::Principal));
}

#[test]
fn electronic_vouchers_may_have_brackets_and_commas_in_their_names() {
    let vouchers = |text: String| changed(&[(ELECTRONIC, &text)]).unwrap().electronic_issuing.vouchers;
    for expected in [
        &["GUIA DE REMISION (REMITENTE) (desde 23/03/2015)", "BOLETA (Desde 25/10/2018)"][..],
        &["NOTA DE CREDITO, DE DEBITO (A), U OTRA (desde 23/03/2015)", "FACTURA (DESDE 25/10/2018)"],
        &["FACTURA (desde 23/03/2015)"],
        &[],
    ] {
        let [tight, loose] = [",", " , "].map(|comma| expected.join(comma));
        assert_eq!(vouchers(if expected.is_empty() { "NINGUNO".to_owned() } else { tight }), expected);
        assert_eq!(vouchers(format!("{loose} ,-")), expected);
    }
    for damaged in ["FACTURA", "FACTURA (desde 23/03/2015),BOLETA", "(desde 23/03/2015)", "FACTURA (desde 23/03/2015"] {
        assert!(matches!(changed(&[(ELECTRONIC, damaged)]), Err(UnreadablePageError::Line(_))), "{damaged}");
    }
}

/// What every registration has, in the page's order.
const REGISTRATION: [(Label, &str); 4] = [
    (Label::Registered, ">09/01/2003<"),
    (Label::IssuingSystem, ">MANUAL<"),
    (Label::ForeignTrade, ">SIN ACTIVIDAD<"),
    (Label::AccountingSystem, ">COMPUTARIZADO<"),
];

#[test]
fn a_registration_that_lost_a_value_is_damaged() {
    for (label, value) in REGISTRATION {
        for none in ["", " ", "-", "NINGUNO"] {
            let error = changed(&[(value, &format!(">{none}<"))]).unwrap_err();
            let is_date = label == Label::Registered && none == "NINGUNO";
            let fits = matches!(error, UnreadablePageError::Date { .. }) && is_date
                || error == UnreadablePageError::Blank(label);
            assert!(fits, "{label} with {none:?}: {error:?}");
        }
    }
    // Three of the four.
    let lost = REGISTRATION.map(|(_, value)| (value, ">-<"));
    assert_eq!(changed(&lost[..3]), Err(UnreadablePageError::Blank(Label::Registered)));
}

#[test]
fn a_page_without_any_value_of_the_registration_is_read() {
    for none in [">-<", ">NINGUNO<"] {
        let mut lost = REGISTRATION.map(|(_, value)| (value, none));
        lost[0].1 = ">-<";
        let record = changed(&lost).unwrap();
        assert_eq!(record.registered, None);
        assert_eq!([record.issuing_system, record.foreign_trade, record.accounting_system], ["", "", ""], "{none}");
    }
}

#[test]
fn a_condition_that_is_a_dash_is_empty() {
    let page = case("regional_government");
    let record = page.read(&bytes(&page.text().replace("HABIDO", "-"))).unwrap().unwrap();
    assert_eq!(record.condition.as_str(), "");
    // The remark of another condition follows.
    assert_eq!(changed(&[("NO HABIDO", "-")]), Err(UnreadablePageError::Blank(Label::Condition)));
}

#[test]
fn an_address_of_a_person_may_be_written_in_any_way() {
    let page = case("natural_person");
    let text = page.text();
    let (before, after) = text.split_once("Domicilio Fiscal").unwrap();
    let with = |address: &str| {
        let start = after.find("<p").unwrap() + after[after.find("<p").unwrap()..].find('>').unwrap() + 1;
        let end = start + after[start..].find("</p>").unwrap();
        let text = format!("{before}Domicilio Fiscal{}{address}{}", &after[..start], &after[end..]);
        page.read(&bytes(&text)).map(|record| record.unwrap()).map_err(unreadable)
    };
    let whole = with("-").unwrap();
    for address in ["AV. LIMA 12", "JR. DOS DE MAYO 1 - LIMA", "CASERIO 28/07/1821 S/N", "NO PUBLICADO"] {
        assert_eq!(with(address).as_ref(), Ok(&whole), "{address}");
    }
    assert_eq!(with(" "), Err(UnreadablePageError::Blank(Label::Address)));
    for damaged in ["10/01/2017", "HABIDO", "FACTURA", "FACTURA PORTAL DESDE 28/05/2024", "FACTURA (desde 23/03/2015)"]
    {
        assert!(matches!(with(damaged), Err(UnreadablePageError::Line(_))), "{damaged}");
    }
}
