//! A server that is killed while it looks up a list.

use kuraka_domain::{Ruc, RucKind};
use kuraka_sandbox::sample;

use super::browser::Owner;
use super::program::Home;

const EMAIL: &str = "ana@example.pe";

#[test]
fn a_killed_server_has_charged_what_it_has_stored() {
    // Three batches at once, then one a second.
    let home = Home::new().plan(1_000, 1).with("KURAKA__PLANS__FREE__BURST", "3");
    home.run(&["account", "create", "--email", EMAIL]).succeeded();
    home.set_password(EMAIL);
    home.import(sample::PADRON);
    let rucs: Vec<_> =
        (10_000_000..10_000_500).map(|body| Ruc::from_parts(RucKind::LegalPerson, body).unwrap()).collect();
    let text = rucs.iter().map(ToString::to_string).collect::<Vec<_>>().join("%0A");

    let serving = home.serve();
    let mut owner = Owner::log_in(serving.api, EMAIL);
    let list = owner.post("/panel/lista", &format!("text={text}")).header("location").unwrap().to_owned();
    assert_eq!(owner.post(&format!("{list}/consultar"), "modo=rucs").status, 303);
    owner.wait(&list, "300 de 500 consultados.");
    serving.kill();

    let serving = home.serve();
    owner.api = serving.api;
    let page = owner.wait(&list, "500 RUC consultados");
    assert!(page.contains("Costó 500 consultas;"), "{page}");
    owner.wait("/panel/consumo", "id=\"used\">500<");
    serving.stop();
}
