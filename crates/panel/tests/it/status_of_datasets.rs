//! The datasets on the status page.

use kuraka_domain::Date;
use kuraka_panel::dataset_status::{AttemptResult, DatasetAttempt, DatasetEdition, DatasetState, DatasetStatus};

use crate::test_app::TestApp;

const EMAIL: &str = "ana@kuraka.example";

fn dataset(name: &'static str, state: DatasetState, edition: Option<DatasetEdition>) -> DatasetStatus {
    let (title, attribution) = ("Un padrón", "Fuente: SUNAT");
    DatasetStatus { name, title, attribution, state, edition, is_overdue: false, last_attempt: None }
}

fn edition(age_days: i32) -> Option<DatasetEdition> {
    let date = Date::parse("2026-10-31").unwrap();
    Some(DatasetEdition { date, age_days, rows: 916_556, is_sample: false })
}

fn attempt(at: &str, result: AttemptResult) -> Option<DatasetAttempt> {
    Some(DatasetAttempt { at: at.parse().unwrap(), result })
}

#[actix_web::test]
async fn each_dataset_has_its_date_rows_state_and_last_attempt() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    let failed = attempt("2026-11-20T03:05:00Z", AttemptResult::Failed);
    app.set_datasets(&[
        DatasetStatus { last_attempt: failed, ..dataset("padron", DatasetState::Loaded, edition(20)) },
        DatasetStatus { last_attempt: failed, is_overdue: true, ..dataset("ssco", DatasetState::Loaded, edition(90)) },
    ]);
    let response = owner.get("/panel/estado").await;
    for text in ["<code class=\"small muted\">ssco</code>", "916,556", "31 oct 2026", "hace 90 días", "Atrasado"] {
        response.assert_contains(text);
    }
    // Once in the section of the padrón and once in the table.
    assert_eq!(response.body.matches("19 nov 2026, 22:05").count(), 2);
    assert_eq!(response.body.matches("falló").count(), 2);
    response.assert_contains("Fuente: SUNAT");
    response.assert_lacks("<code class=\"small muted\">padron</code>");
    for (result, text) in [(AttemptResult::Published, "se actualizó"), (AttemptResult::Unchanged, "sin novedades")] {
        let last_attempt = attempt("2026-11-20T03:05:00Z", result);
        app.set_datasets(&[DatasetStatus { last_attempt, ..dataset("ssco", DatasetState::Loaded, edition(0)) }]);
        let response = owner.get("/panel/estado").await;
        response.assert_contains(text);
        response.assert_contains("hoy");
    }
}

#[actix_web::test]
async fn a_dataset_that_does_not_answer_says_why() {
    let app = TestApp::new().await;
    let mut owner = app.signed_in(EMAIL).await;
    for (state, word) in [
        (DatasetState::Fallback, "Edición anterior"),
        (DatasetState::Unreadable, "Dañado"),
        (DatasetState::Unusable, "Dañado"),
        (DatasetState::InPadron, "En el padrón"),
        (DatasetState::NeverImported, "No importado"),
        (DatasetState::NotEnabled, "No se usa"),
    ] {
        app.set_datasets(&[dataset("anexos", state, None)]);
        let response = owner.get("/panel/estado").await;
        response.assert_contains(word);
        response.assert_lacks("Fuente: SUNAT");
    }
    app.set_datasets(&[dataset("anexos", DatasetState::Loaded, edition(1))]);
    let response = owner.get("/panel/estado").await;
    response.assert_contains("hace 1 día");
    response.assert_lacks("No importado");
    app.set_datasets(&[]);
    owner.get("/panel/estado").await.assert_lacks("Otros datos oficiales");
}
