//! The OpenAPI document: the committed file, the printed document and the served document are the same.

use serde_json::Value;

use super::http::get;
use super::program::Home;

const COMMITTED: &str = include_str!("../../../../docs/reference/openapi.json");
const WEBHOOKS: &str = include_str!("../../../../docs/reference/webhooks.json");

#[test]
fn the_committed_openapi_document_matches_the_printed_and_served_ones() {
    let home = Home::new();
    let printed = home.run(&["openapi"]).succeeded();
    assert!(printed == COMMITTED, "run kuraka openapi > docs/reference/openapi.json");
    let printed = home.run(&["openapi", "--webhooks"]).succeeded();
    assert!(printed == WEBHOOKS, "run kuraka openapi --webhooks > docs/reference/webhooks.json");
    let serving = home.serve();
    for (path, committed) in [("/openapi.json", COMMITTED), ("/webhooks.json", WEBHOOKS)] {
        let served = get(serving.api, path);
        assert_eq!((served.status, served.header("content-type")), (200, Some("application/json")));
        assert_eq!(served.json(), serde_json::from_str::<Value>(committed).unwrap());
    }
}
