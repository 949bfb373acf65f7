//! The panel in a real browser: the first steps of a new user, on a desktop and on a telephone, in light and dark mode.
//! The test writes a screenshot of each page to `target/browser`. `make browser` installs what it needs and runs it.
#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test's own machinery stops at the first surprise"
)]
#![expect(dead_code, reason = "the scene is that of the other tests, which use all of it")]

#[path = "../http/answer.rs"]
mod answer;
#[path = "../http/app.rs"]
mod app;
#[path = "../http/datasets.rs"]
mod datasets;
mod driver;
#[path = "../http/eventually.rs"]
mod eventually;
#[path = "../imported.rs"]
mod imported;
#[path = "../http/json_schema.rs"]
mod json_schema;
#[path = "../http/operator.rs"]
mod operator;
#[path = "../http/published.rs"]
mod published;
#[path = "../http/recorder.rs"]
mod recorder;
#[path = "../http/request.rs"]
mod request;
#[path = "../http/sandbox.rs"]
mod sandbox;
#[path = "../http/schemas.rs"]
mod schemas;
#[path = "../http/test_data.rs"]
mod test_data;
#[path = "../http/wire.rs"]
mod wire;

mod lookups;
mod operation;
mod story;
mod webhooks;
