//! `/panel/seguimiento`: RUCs are added, shown with problems first, downloaded and removed.

use actix_web::http::StatusCode;

use crate::taxpayers::{COMPANY, incapable, profile};
use crate::test_app::TestApp;

const PAGE: &str = "/panel/seguimiento";

#[actix_web::test]
async fn watched_rucs_are_added_shown_downloaded_and_removed() {
    let app = TestApp::new().await;
    let bad = incapable(profile("20999990038", "ACTIVO", "NO HABIDO"));
    app.publish([profile(COMPANY, "ACTIVO", "HABIDO"), bad], &[], &[]);
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let text = format!("{COMPANY} 20999990038\n20100119228");
    let added = owner.submit(PAGE, PAGE, &[("text", &text)]).await;
    assert_eq!(added.status, StatusCode::OK);
    assert!(added.body.contains("Se agregaron 2 RUC.") && added.body.contains("El RUC es incorrecto"));
    let page = owner.get(PAGE).await.body;
    let place = |ruc: &str| page.find(&format!("value=\"{ruc}\"")).unwrap();
    assert!(place("20999990038") < place(COMPANY));
    let file = owner.get("/panel/seguimiento.csv").await.body;
    assert!(file.starts_with("ruc,codigo,nombre_o_razon_social,estado,condicion,fecha,dato,antes,despues\r\n"));
    assert!(file.contains("\r\n20999990038,,"));
    owner.submit(PAGE, "/panel/seguimiento/quitar", &[("ruc", COMPANY)]).await.location();
    let page = owner.get(PAGE).await.body;
    assert!(page.contains("value=\"20999990038\"") && !page.contains(&format!("value=\"{COMPANY}\"")));
    for wrong in ["", "nada"] {
        let refused = owner.submit(PAGE, PAGE, &[("text", wrong)]).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
}

#[actix_web::test]
async fn the_statuses_of_a_list_count_for_the_rate_and_cost_nothing() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in("ana@kuraka.example").await;
    let (file, text) = ("/panel/seguimiento.csv", [("text", COMPANY)]);
    assert_eq!(owner.submit(PAGE, PAGE, &text).await.status, StatusCode::OK);
    // The plan's burst.
    for page in [PAGE, file].repeat(4) {
        assert_eq!(owner.get(page).await.status, StatusCode::OK);
    }
    for page in [PAGE, file] {
        assert_eq!(owner.get(page).await.status, StatusCode::TOO_MANY_REQUESTS);
    }
    owner.get("/panel/consumo").await.assert_contains("id=\"used\">0<");
}
