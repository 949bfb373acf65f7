//! The datasets on the status page.

use std::sync::Arc;

use kuraka_domain::DatasetRole;
use kuraka_ports::{
    AttemptOutcome, DatasetAttempt, DatasetProgress, DatasetState, DatasetStatus, Edition, EditionOrigin,
};

use crate::browser::{Browser, Response};
use crate::test_app::{TestApp, edition, failed, padron};

/// The annex premises, which were published on 31 October.
fn annexes() -> DatasetStatus {
    let edition = Some(Arc::new(edition("2026-10-31-00000001", 916_556)));
    let (name, title) = ("anexos", "Locales anexos");
    let when_too_old = "/ruc-anexos responde 503.";
    let annexes = DatasetStatus { name, title, edition, age_days: Some(20), is_required: false, ..padron() };
    DatasetStatus { role: DatasetRole::Annexes, when_absent: "", when_too_old, ..annexes }
}

/// A dataset in this state, without an edition.
fn without_edition(state: DatasetState, dataset: DatasetStatus) -> DatasetStatus {
    DatasetStatus { state, edition: None, age_days: None, ..dataset }
}

fn too_old(dataset: DatasetStatus) -> DatasetStatus {
    DatasetStatus { is_too_old: true, ..dataset }
}

/// The status page with these datasets.
async fn page(app: &TestApp, owner: &mut Browser<'_>, datasets: &[DatasetStatus]) -> Response {
    app.set_datasets(datasets);
    app.panel.show_service(&kuraka_app::ServiceReport::default(), &[]);
    owner.get("/estado").await
}

#[actix_web::test]
async fn each_dataset_has_its_date_age_rows_and_last_attempt() {
    let (app, mut owner) = TestApp::owner().await;
    let published = AttemptOutcome::Published { edition: "2026-10-31-00000001".to_owned() };
    let failed = failed("un secreto", "");
    let attempt = |outcome| DatasetAttempt { outcome, ..failed.clone() };
    for (last_attempt, text) in [
        (attempt(published), "se actualizó"),
        (attempt(AttemptOutcome::Unchanged), "sin novedades"),
        (failed.clone(), "falló"),
    ] {
        let last_attempt = Some(last_attempt);
        let padron = DatasetStatus { last_attempt: last_attempt.clone(), ..padron() };
        let response = page(app, &mut owner, &[padron, DatasetStatus { last_attempt, ..annexes() }]).await;
        response.assert_all(["padron</code>", "18,234,511", "20 nov 2026", "hoy", "2026-11-20-8c1f22ab"]);
        response.assert_all(["anexos</code>", "Locales anexos", "916,556", "31 oct 2026", "hace 20 días"]);
        for text in ["19 nov 2026, 22:05", text, "Al día"] {
            assert_eq!(response.body.matches(text).count(), 2, "{text}");
        }
        assert_eq!(response.body.matches("Fuente: SUNAT").count(), 1, "each source once");
        response.assert_lacks("un secreto");
    }
    page(app, &mut owner, &[DatasetStatus { age_days: Some(1), ..annexes() }]).await.assert_contains("hace 1 día");
    let future = DatasetStatus { age_days: Some(-1), ..annexes() };
    page(app, &mut owner, &[future]).await.assert_contains("con fecha futura");
}

#[actix_web::test]
async fn a_state_has_its_word_and_what_it_means_for_callers() {
    let (app, mut owner) = TestApp::owner().await;
    let sample = Edition { origin: EditionOrigin::Sample, ..Edition::clone(padron().edition.as_ref().unwrap()) };
    for (dataset, word, meaning) in [
        (padron(), "Al día", ""),
        (DatasetStatus { edition: Some(Arc::new(sample)), ..padron() }, "Muestra", "Datos de demostración"),
        (too_old(padron()), "Atrasado", "Un RUC que no está en ella se responde 503."),
        (too_old(annexes()), "Atrasado", "/ruc-anexos responde 503."),
        (DatasetStatus { state: DatasetState::Fallback, ..annexes() }, "Edición anterior", "responde con la anterior"),
        (DatasetStatus { state: DatasetState::Unreadable, ..annexes() }, "Dañado", "no se puede leer"),
        (without_edition(DatasetState::Unusable, annexes()), "Dañado", "no se puede leer"),
        (without_edition(DatasetState::NeverImported, padron()), "Sin datos", "/ruc responde 503."),
        (without_edition(DatasetState::NeverImported, annexes()), "No importado", ""),
        (without_edition(DatasetState::NotEnabled, annexes()), "No se usa", ""),
    ] {
        let response = page(app, &mut owner, std::slice::from_ref(&dataset)).await;
        response.assert_contains(&format!(">{word}<"));
        response.assert_contains(meaning);
        assert_eq!(response.body.contains("Fuente: SUNAT"), dataset.edition.is_some(), "{:?}", dataset.state);
    }
}

#[actix_web::test]
async fn an_update_shows_how_far_it_is() {
    let (app, mut owner) = TestApp::owner().await;
    let progress = |percent| Some(DatasetProgress { stage: "download", percent });
    for (percent, text) in [(Some(40), "Se está actualizando: 40 %."), (None, "Se está actualizando.")] {
        let datasets = [DatasetStatus { progress: progress(percent), ..padron() }, annexes()];
        let response = page(app, &mut owner, &datasets).await;
        assert_eq!(response.body.matches(text).count(), 1, "{text}");
    }
    page(app, &mut owner, &[padron(), annexes()]).await.assert_lacks("Se está actualizando");
}
