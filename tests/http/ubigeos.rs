//! `GET /ubigeos`: the whole table, which a client may keep, free of charge and within the plan's rate.

use std::io::Read;

use flate2::read::GzDecoder;
use kuraka_domain::Ubigeo;
use serde_json::json;

use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_table_has_every_district_in_the_order_of_its_code() {
    let (app, owner) = shared().await;
    for path in ["/ubigeos", "/api/ubigeos"] {
        let answer = app.request("GET", path).token(&owner.token).send().await;
        let envelope = answer.json();
        assert_eq!((answer.status, &envelope["success"], &envelope["code"]), (200, &json!(true), &json!("found")));
        let rows = envelope["data"].as_array().unwrap();
        let codes: Vec<&str> = rows.iter().map(|row| row["ubigeo"].as_str().unwrap()).collect();
        assert_eq!(codes, Ubigeo::known().map(|ubigeo| ubigeo.to_string()).collect::<Vec<_>>());
        let miraflores = json!({
            "ubigeo": "150122", "departamento": "LIMA", "provincia": "LIMA", "distrito": "MIRAFLORES",
        });
        assert!(rows.contains(&miraflores) && codes.is_sorted());
        assert!(answer.body.contains(r#"[{"ubigeo":"010101","departamento":"AMAZONAS","provincia":"#));
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_client_that_has_the_table_gets_no_body() {
    let (app, owner) = shared().await;
    let get = || app.request("GET", "/ubigeos").token(&owner.token);
    let first = get().send().await;
    let etag = first.must("etag").to_owned();
    assert!(etag.starts_with("W/\"") && etag.ends_with('"'), "{etag}");
    assert_eq!(first.must("cache-control"), "private, max-age=86400");
    let strong = etag.trim_start_matches("W/").to_owned();
    let mut wire = app.connect().await;
    for known in [etag.clone(), strong, format!("\"a\", {etag}"), "*".to_owned()] {
        let answer = wire.ask(&get().header("If-None-Match", &known)).await;
        assert_eq!((answer.status, answer.body.as_str(), answer.must("etag")), (304, "", etag.as_str()), "{known}");
        assert_eq!((answer.header("content-type"), answer.must("cache-control")), (None, first.must("cache-control")));
        assert!(answer.header("ratelimit").is_some());
    }
    for other in ["\"a\"", "W/\"00000000\"", "", etag.trim_matches('"')] {
        let answer = wire.ask(&get().header("If-None-Match", other)).await;
        assert_eq!((answer.status, answer.must("etag")), (200, etag.as_str()), "{other}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_client_that_accepts_gzip_gets_the_same_table_shorter() {
    let (app, owner) = shared().await;
    let get = |accepted: &str| app.request("GET", "/ubigeos").token(&owner.token).header("Accept-Encoding", accepted);
    let plain = get("br, gzip;q=0, identity").send().await;
    assert_eq!((plain.header("content-encoding"), plain.must("vary")), (None, "Accept-Encoding"));
    for accepted in ["gzip", "br;q=1.0, GZIP;q=0.5"] {
        let answer = get(accepted).send().await;
        assert_eq!(
            (answer.status, answer.must("content-encoding"), answer.must("vary")),
            (200, "gzip", "Accept-Encoding")
        );
        assert!(answer.bytes.len() < 40_000, "{} bytes", answer.bytes.len());
        let mut text = String::new();
        // Refuses a wrong checksum, a wrong length, and bytes after the end.
        GzDecoder::new(&*answer.bytes).read_to_string(&mut text).unwrap();
        let without_time = |text: &str| text.rsplit_once(r#","time":"#).unwrap().0.to_owned();
        assert_eq!(without_time(&text), without_time(&plain.body));
        let time = serde_json::from_str::<serde_json::Value>(&text).unwrap()["time"].as_f64().unwrap();
        assert!(time > 0.0 && time < 10.0, "{time}");
        let etag = answer.must("etag");
        assert!(etag != plain.must("etag") && etag.starts_with("W/\""), "{etag}");
        let known = get(accepted).header("If-None-Match", etag).send().await;
        assert_eq!((known.status, known.must("etag"), known.header("content-encoding")), (304, etag, None));
    }
}
