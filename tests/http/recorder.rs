//! Records what the tests ask and what they are answered, so that `tests/compare_answers.sh` can compare two commits.
//! If `KURAKA_RECORD_ANSWERS` names a file, each exchange becomes a line of JSON at the end of that file: the test, the
//! request and the answer. The admin listener's metrics are left out. This file changes nothing in what it records,
//! because a test that measures times must not wait for it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::sync::{LazyLock, Mutex};

use serde_json::{Value, json};
use tokio::runtime::{Handle, Id};

#[expect(clippy::disallowed_methods, reason = "a setting of the tests, not of the program")]
static FILE: LazyLock<Option<File>> = LazyLock::new(|| {
    let path = std::env::var("KURAKA_RECORD_ANSWERS").ok()?;
    Some(OpenOptions::new().create(true).append(true).open(path).unwrap())
});

/// The test that each runtime belongs to.
static TESTS: LazyLock<Mutex<HashMap<Id, String>>> = LazyLock::new(Mutex::default);

/// Notes the test of this runtime if the calling thread is the test's own, which has its name. The tasks that the test
/// spawns may run on other threads.
pub(crate) fn note_test() {
    if FILE.is_some()
        && let Some(test) = std::thread::current().name().filter(|name| name.contains("::"))
    {
        TESTS.lock().unwrap().insert(Handle::current().id(), test.to_owned());
    }
}

/// What was sent over a connection since the last answer.
#[derive(Default)]
pub(crate) struct Recording {
    sent: Vec<u8>,
}

impl Recording {
    pub(crate) fn sent(&mut self, bytes: &[u8]) {
        if FILE.is_some() {
            self.sent.extend_from_slice(bytes);
        }
    }

    /// Writes what was sent with its answer.
    pub(crate) fn answered(&mut self, head: &str, body: &str) {
        let Some(mut file) = FILE.as_ref() else { return };
        let sent = std::mem::take(&mut self.sent);
        let sent = String::from_utf8_lossy(&sent);
        let (sent_head, sent_body) = sent.split_once("\r\n\r\n").unwrap_or((&sent, ""));
        if sent_head.starts_with("GET /metrics ") && head.starts_with("HTTP/1.1 200 ") {
            return;
        }
        let test = TESTS.lock().unwrap().get(&Handle::current().id()).cloned();
        let line = json!({ "test": test, "request": message(sent_head, sent_body), "answer": message(head, body) });
        file.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

/// The first line, which has method and path or the status, the headers, and the body.
fn message(head: &str, body: &str) -> Value {
    let mut lines = head.trim_end().split("\r\n");
    json!({ "line": lines.next(), "headers": lines.collect::<Vec<_>>(), "body": body })
}
