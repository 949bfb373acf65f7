//! The admin listener: liveness, readiness and metrics. `routes.rs` checks that the public listener has none of them.

use std::collections::BTreeSet;

use crate::sandbox::sandbox;
use kuraka_adapters::datasets::record_attempt;
use kuraka_ports::{AttemptOutcome, DatasetAttempt};
use kuraka_registry::dataset::{ANEXOS, BUENOS_CONTRIBUYENTES, Dataset, PADRON, RETENCION, described};
use kuraka_sandbox::sample;

use crate::app::{App, eventually, now, scene};
use crate::datasets::{publish_sample, truncate};
use crate::request::Request;
use crate::wire::Wire;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn readiness_and_metrics_describe_every_dataset() {
    let (app, owner) = scene().start_with_owner().await;
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = Request::new(app.admin, "HEAD", path).send().await;
        assert_eq!((answer.status, answer.body.as_str()), (200, ""), "{path}");
    }
    assert_eq!(app.admin("/healthz").send().await.status, 200);
    let answer = app.admin("/readyz").send().await;
    assert_eq!(answer.status, 200);
    let ready = answer.json();
    assert_eq!((&ready["ready"], &ready["draining"]), (&true.into(), &false.into()));
    assert_eq!(ready["stalled_jobs"], serde_json::json!([]));
    let told = app.post("/ruc").token(&owner.token).ruc(sample::COMPANY).send().await;
    let datasets = ready["datasets"].as_array().unwrap();
    assert_eq!(datasets[0]["edition"], told.must("x-registry-edition"));
    let names: Vec<_> = datasets.iter().map(|dataset| dataset["name"].as_str().unwrap()).collect();
    assert_eq!(names, described().map(|dataset| dataset.name).collect::<Vec<_>>());
    let padron = &datasets[0];
    assert_eq!((&padron["state"], &padron["rows"]), (&"loaded".into(), &555.into()));
    assert!(padron["edition"].as_str().unwrap().starts_with(padron["date"].as_str().unwrap()), "{padron}");
    let missing = datasets.iter().find(|dataset| dataset["name"] == ANEXOS.name).unwrap();
    assert_eq!(missing["state"], "never imported");
    for field in ["edition", "date", "age_days", "rows", "last_attempt"] {
        assert!(missing[field].is_null(), "{missing}");
    }
    let list = &datasets[1];
    assert_eq!((&list["name"], &list["state"], &list["rows"]), (&"retencion".into(), &"loaded".into(), &6.into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_server_without_an_edition_is_not_ready_and_says_so() {
    for enabled in ["padron", "retencion"] {
        let app = scene().without_edition().set("datasets.enabled", enabled).start().await;
        let answer = app.admin("/readyz").send().await;
        assert_eq!((answer.status, &answer.json()["datasets"][0]["state"]), (503, &"never imported".into()));
    }
}

/// The status of `/readyz` once it has this state of a dataset.
async fn status_in(app: &App, dataset: &Dataset, state: &str) -> u16 {
    eventually(&format!("{} is {state}", dataset.name), async || {
        let ready = app.admin("/readyz").send().await;
        let datasets = ready.json()["datasets"].take();
        let found = datasets.as_array().unwrap().iter().find(|known| known["name"] == dataset.name).unwrap();
        (found["state"] == state).then_some(ready.status)
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_damaged_dataset_that_ruc_needs_makes_the_server_unready() {
    for (dataset, status) in [(&PADRON, 503), (&RETENCION, 503), (&BUENOS_CONTRIBUYENTES, 503), (&ANEXOS, 200)] {
        let app = scene().with_datasets().start().await;
        assert_eq!(status_in(&app, dataset, "loaded").await, 200);
        truncate(&app, dataset);
        assert_eq!(status_in(&app, dataset, "unusable").await, status, "{}", dataset.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_server_that_fetches_is_unready_until_it_has_what_ruc_needs() {
    let app = scene().without_edition().fetching(([127, 0, 0, 1], 9).into()).start().await;
    assert_eq!(app.admin("/readyz").send().await.status, 503);
    for (dataset, status) in [(&PADRON, 503), (&RETENCION, 503), (&BUENOS_CONTRIBUYENTES, 200)] {
        publish_sample(&app, dataset);
        assert_eq!(status_in(&app, dataset, "loaded").await, status, "{}", dataset.name);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_last_attempt_at_a_dataset_is_shown_with_its_cause() {
    let app = scene().start().await;
    let (at, cause) = (now(), "anexos could not be fetched: the server answered 503".to_owned());
    let reason = "El servidor de los archivos no respondió.".to_owned();
    let attempt = DatasetAttempt {
        at,
        outcome: AttemptOutcome::Failed {
            cause: cause.clone(),
            reason: reason.clone(),
            needs_operator: false,
            force_helps: false,
        },
    };
    record_attempt(&app.registry_dir(), &ANEXOS, &attempt).unwrap();
    let shown = eventually("the attempt is shown", async || {
        let ready = app.admin("/readyz").send().await;
        assert_eq!(ready.status, 200, "a dataset that fails does not make the server unready");
        let ready = ready.json();
        let mut datasets = ready["datasets"].as_array().unwrap().iter();
        let dataset = datasets.find(|dataset| dataset["name"] == ANEXOS.name).unwrap();
        Some(dataset["last_attempt"].clone()).filter(|attempt| !attempt.is_null())
    })
    .await;
    assert_eq!(
        shown,
        serde_json::json!({ "at": at.to_string(), "outcome": "failed", "cause": cause, "reason": reason })
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_answer_counts_under_its_operation_and_code() {
    let (app, owner) = scene().start_with_owner().await;
    for ruc in [sample::COMPANY, sample::COMPANY, sample::ABSENT, sample::BAD_CHECK_DIGIT] {
        app.post("/ruc").token(&owner.token).ruc(ruc).send().await;
    }
    app.post("/ruc").ruc(sample::COMPANY).send().await.refused("unauthenticated");
    app.post("/nada").send().await.refused("route_not_found");
    let answer = app.admin("/metrics").send().await;
    assert!(answer.must("content-type").starts_with("application/openmetrics-text"), "{answer:?}");
    for line in [
        r#"kuraka_answers_total{operation="ruc",code="found"} 2"#,
        r#"kuraka_answers_total{operation="ruc",code="document_not_found"} 1"#,
        r#"kuraka_answers_total{operation="ruc",code="invalid_input"} 1"#,
        r#"kuraka_answers_total{operation="ruc",code="unauthenticated"} 1"#,
        r#"kuraka_answers_total{operation="other",code="route_not_found"} 1"#,
        r#"kuraka_dataset_rows{dataset="padron"} 555"#,
        r#"kuraka_queries_charged_total{operation="ruc"} 4"#,
        r#"kuraka_ready 1"#,
        r#"kuraka_job_panics_total{background_job="watch_store"} 0"#,
        r#"kuraka_job_panics_total{background_job="refresh_datasets"} 0"#,
        r#"kuraka_log_lines_dropped_total 0"#,
    ] {
        assert!(answer.body.lines().any(|known| known == line), "{line} in\n{}", answer.body);
    }
    assert!(!answer.body.contains(&owner.token) && !answer.body.contains(sample::COMPANY));
    assert!(answer.body.ends_with("# EOF\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn every_outcome_of_every_source_counts_from_zero() {
    let upstream = sandbox().await;
    let app = scene().official(&upstream).provider(&upstream, "apisperu").vouchers(&upstream).start().await;
    let page = app.admin("/metrics").send().await.body;
    let outcomes = "found not_found unavailable throttled refused credentials unreadable rejected unconfirmed held_back \
                    dropped";
    for source in ["official", "apisperu", "sources", "sunat_vouchers", "vouchers"] {
        for outcome in outcomes.split_whitespace() {
            let line = format!(r#"kuraka_source_calls_total{{source="{source}",outcome="{outcome}"}} 0"#);
            assert!(page.lines().any(|known| known == line), "{line} in\n{page}");
        }
        let line = format!(r#"kuraka_source_call_seconds_count{{source="{source}"}} 0"#);
        assert!(page.lines().any(|known| known == line), "{line} in\n{page}");
    }
    let owner = app.owner().await;
    app.post("/ruc-official").token(&owner.token).ruc(sample::COMPANY).send().await.found();
    let page = app.admin("/metrics").send().await.body;
    for source in ["official", "sources"] {
        let line = format!(r#"kuraka_source_call_seconds_count{{source="{source}"}} 1"#);
        assert!(page.lines().any(|known| known == line), "{line} in\n{page}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_metrics_of_the_alarms_exist_on_a_new_server() {
    let upstream = sandbox().await;
    let app = scene().official(&upstream).start().await;
    let attempt = DatasetAttempt { at: now(), outcome: AttemptOutcome::Unchanged };
    record_attempt(&app.registry_dir(), &PADRON, &attempt).unwrap();
    let rules = include_str!("../../docs/operations/alerts.yml");
    let word = |text: &str| text.split(|c: char| !c.is_ascii_lowercase() && c != '_').next().unwrap().to_owned();
    let named: Vec<String> = rules.split("kuraka_").skip(1).map(|rest| format!("kuraka_{}", word(rest))).collect();
    assert!(named.len() >= 16, "{named:?}");
    eventually("every metric of an alarm has a series", async || {
        let page = app.admin("/metrics").send().await.body;
        let has = |name: &String| {
            let rest =
                |line: &'_ str| line.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with(['{', ' ']));
            page.lines().any(rest)
        };
        named.iter().all(has).then_some(())
    })
    .await;
}

/// Also those without a value yet: `/metrics` declares every metric from the start.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_metrics_of_the_dashboard_exist_on_a_new_server() {
    let app = scene().without_edition().start().await;
    let page = app.admin("/metrics").send().await.body;
    let suffixes = |kind| match kind {
        "counter" => &["_total"][..],
        "histogram" => &["_bucket", "_sum", "_count"],
        "info" => &["_info"],
        _ => &[""],
    };
    let declared: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '))
        .flat_map(|(name, kind)| suffixes(kind).iter().map(move |suffix| format!("{name}{suffix}")))
        .collect();
    let text = include_str!("../../packaging/grafana/kuraka.json");
    let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
    let used: BTreeSet<&str> =
        text.match_indices("kuraka_").map(|(at, _)| text[at..].split(|c| !is_name(c)).next().unwrap()).collect();
    assert!(used.len() >= 15, "{used:?}");
    for name in used {
        assert!(declared.contains(name), "{name} is not in {declared:?}");
    }
    let dashboard: serde_json::Value = serde_json::from_str(text).unwrap();
    for panel in dashboard["panels"].as_array().unwrap().iter().filter(|panel| panel["type"] != "row") {
        let has = |text: &serde_json::Value| text.as_str().is_some_and(|text| !text.is_empty());
        let (unit, source) = (&panel["fieldConfig"]["defaults"]["unit"], &panel["datasource"]["uid"]);
        assert!(has(&panel["description"]) && has(unit), "{panel}");
        assert_eq!(source, "${datasource}", "{panel}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn metrics_describe_the_process() {
    let app = scene().start().await;
    let page = app.admin("/metrics").send().await.body;
    let value = |name: &str| -> f64 {
        let found = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap_or_default();
        found.parse().unwrap_or_else(|_| panic!("{name} in\n{page}"))
    };
    assert!(value("process_cpu_seconds_total") > 0.0);
    assert!(value("process_resident_memory_bytes") > 1e6);
    assert!(value("process_virtual_memory_bytes") > value("process_resident_memory_bytes"));
    assert!((3.0..value("process_max_fds")).contains(&value("process_open_fds")));
    let age = now().as_second() as f64 - value("process_start_time_seconds");
    assert!((-2.0..86_400.0).contains(&age), "started {age} s ago");
    let version = format!("kuraka_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION"));
    assert_eq!(value(&version), 1.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_name_of_the_public_dns_does_not_lead_to_the_listener() {
    let app = scene().start().await;
    let status = async |host: String| {
        let mut wire = Wire::open(app.admin).await;
        wire.send(format!("GET /metrics HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes()).await;
        wire.answer().await.unwrap().status
    };
    let port = app.admin.port();
    for host in ["rebind.example", "127.0.0.1.rebind.example", "LOCAL.example.", "[::1].example"] {
        assert_eq!([status(host.to_owned()).await, status(format!("{host}:{port}")).await], [403; 2], "{host}");
    }
    for host in ["127.0.0.1", "10.0.0.5", "[::1]", "localhost", "builder", "kuraka.data.svc.cluster.local", "a.b.SVC"] {
        assert_eq!([status(host.to_owned()).await, status(format!("{host}:{port}")).await], [200; 2], "{host}");
    }
}
