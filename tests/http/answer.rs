//! An answer, and what every answer must have: the status, code and retryability that the contract pairs, the fields of
//! the envelope in their order, and the headers that are on all answers.

use serde_json::Value;

/// Status, code and retryability, as the contract pairs them.
const CODES: [(u16, &str, bool); 17] = [
    (200, "found", false),
    (400, "invalid_input", false),
    (400, "date_not_covered", false),
    (400, "cursor_expired", false),
    (401, "unauthenticated", false),
    (403, "forbidden", false),
    (403, "watch_limit_exceeded", false),
    (404, "document_not_found", false),
    (404, "route_not_found", false),
    (405, "method_not_allowed", false),
    (413, "payload_too_large", false),
    (415, "unsupported_media_type", false),
    (429, "rate_limited", true),
    (429, "quota_exceeded", false),
    (503, "upstream_unavailable", true),
    (503, "service_unavailable", true),
    (500, "internal_error", true),
];

/// The answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    /// Reads the head of an answer.
    pub(crate) fn parse(head: &str) -> Self {
        let mut lines = head.trim_end().split("\r\n");
        let status = lines.next().and_then(|line| line.strip_prefix("HTTP/1.1 ")).and_then(|rest| rest.get(..3));
        let header = |line: &str| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        };
        let headers = lines.map(header).collect();
        Self { status: status.unwrap().parse().unwrap(), headers, body: String::new(), bytes: Vec::new() }
    }

    /// A header that occurs at most once.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let first = values.next();
        assert_eq!(values.next(), None, "{name} comes twice");
        first
    }

    /// A header that may occur more than once.
    pub(crate) fn all(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect()
    }

    /// A header that must be present.
    pub(crate) fn must(&self, name: &str) -> &str {
        self.header(name).unwrap_or_else(|| panic!("no {name} in {self:?}"))
    }

    /// The integer in a header.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.must(name).parse().unwrap()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The code in the envelope.
    pub(crate) fn code(&self) -> String {
        self.json()["code"].as_str().unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }

    /// Checks that this is a record with all fields in order, and returns its data.
    #[track_caller]
    pub(crate) fn found(&self) -> Value {
        self.has_usual_headers();
        assert_eq!((self.status, self.header("x-error-code")), (200, None), "{self:?}");
        let start = r#"{"success":true,"code":"found","retryable":false,"data":"#;
        let data = self.body.strip_prefix(start).unwrap_or_else(|| panic!("{self:?}"));
        // A record, or a list of records.
        let end = if data.starts_with('[') { r#"],"time":"# } else { r#"},"time":"# };
        let (_, time) = data.rsplit_once(end).unwrap_or_else(|| panic!("{self:?}"));
        let seconds: f64 = time.strip_suffix('}').unwrap().parse().unwrap();
        assert!((0.0..10.0).contains(&seconds), "{seconds} s");
        let envelope = self.json();
        assert_eq!(envelope.as_object().unwrap().len(), 5, "{envelope}");
        envelope["data"].clone()
    }

    /// Checks that this is an error of this code with all fields in order, and returns its message.
    #[track_caller]
    pub(crate) fn refused(&self, code: &str) -> String {
        let (message, dates) = self.refused_with_dates(code);
        assert_eq!(dates, "", "{self:?}");
        message
    }

    /// As [`Answer::refused`], with the fields after the message.
    #[track_caller]
    pub(crate) fn refused_with_dates(&self, code: &str) -> (String, String) {
        self.has_usual_headers();
        let &(status, _, retryable) = CODES.iter().find(|(_, known, _)| *known == code).unwrap();
        assert_eq!((self.status, self.code().as_str()), (status, code), "{self:?}");
        assert_eq!(self.must("x-error-code"), code);
        let envelope = self.json();
        let message = envelope["message"].as_str().unwrap();
        let start = format!(
            r#"{{"success":false,"code":"{code}","retryable":{retryable},"message":{}"#,
            serde_json::to_string(message).unwrap()
        );
        let rest = self.body.strip_prefix(&start).and_then(|rest| rest.strip_suffix('}'));
        assert!(message.len() > 10 && (message.ends_with('.') || code == "quota_exceeded"), "a sentence: {message:?}");
        (
            message.to_owned(),
            rest.unwrap_or_else(|| panic!("the envelope's fields, in their order: {self:?}")).to_owned(),
        )
    }

    #[track_caller]
    fn has_usual_headers(&self) {
        assert_eq!(self.must("content-type"), "application/json");
        assert_eq!(self.must("cache-control"), "private, no-store");
        assert_eq!(self.must("x-content-type-options"), "nosniff");
        assert!(!self.must("x-request-id").is_empty());
        assert_eq!(self.header("server"), None, "the answer does not name the server's software");
    }
}
