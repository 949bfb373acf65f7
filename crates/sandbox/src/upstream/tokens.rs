//! The endpoint that issues the voucher service's tokens to one client, and the check of those tokens.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::json;
use tokio::time::Instant;

use super::answer::{Answer, Format};
use super::fault::{Fault, Replacement};
use super::official::parts;
use super::request::Request;

/// The client id that the sandbox accepts.
pub const CLIENT_ID: &str = "5a4db0c5-0000-4000-8000-c0de00000001";
/// The client secret that the sandbox accepts. It looks like a number, as real ones may.
pub const CLIENT_SECRET: &str = "0001.50";

pub(super) const PATH: &str = "/v1/clientesextranet/{client_id}/oauth2/token/";

const SCOPE: &str = "https://api.sunat.gob.pe/v1/contribuyente/contribuyentes";
const LIFE: Duration = Duration::from_secs(3_600);
/// Valid tokens: each test of a refused one makes the client request another.
const MAX_VALID: usize = 100;

#[derive(Debug, Default)]
pub(super) struct Tokens(Mutex<IssuedTokens>);

#[derive(Debug, Default)]
struct IssuedTokens {
    /// The newest last.
    ends: VecDeque<(String, Instant)>,
    hasher: RandomState,
    /// Tokens ever issued, so that none is issued twice.
    count: u64,
}

impl Tokens {
    pub(super) fn forget(&self) {
        self.0.lock().ends.clear();
    }

    fn give(&self, now: Instant) -> String {
        let mut given = self.0.lock();
        given.count += 1;
        // The hasher's keys are random, so a token of another sandbox or an earlier run is invalid.
        let token = format!("sandbox.{}.{:016x}", given.count, given.hasher.hash_one(given.count));
        if given.ends.len() == MAX_VALID {
            given.ends.pop_front();
        }
        given.ends.push_back((token.clone(), now + LIFE));
        token
    }

    pub(super) fn lets_in(&self, request: &Request, now: Instant) -> bool {
        let token = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
        token.is_some_and(|token| self.knows(token, now))
    }

    fn knows(&self, token: &str, now: Instant) -> bool {
        self.0.lock().ends.iter().any(|(known, end)| known == token && now < *end)
    }
}

pub(super) fn client_in(request: &Request) -> Option<&str> {
    request.part_of_path(PATH, "{client_id}")
}

/// `{token}` in the body of a fault is replaced with a valid token.
pub(super) fn answer(request: &Request, tokens: &Tokens, fault: Option<Fault>) -> Answer {
    let token = || tokens.give(Instant::now());
    if let Some(Fault::Replaced(Replacement::Body(status, body))) = fault {
        return Answer::text(status, Format::Json, &body.replace("{token}", &token()));
    }
    let field = |name| request.form_field(name).unwrap_or_default();
    let is_known = request.method == "POST"
        && client_in(request) == Some(CLIENT_ID)
        && field("client_id") == CLIENT_ID
        && field("client_secret") == CLIENT_SECRET
        && field("grant_type") == "client_credentials"
        && field("scope") == SCOPE;
    let (status, body) = if is_known {
        (200, json!({"access_token": token(), "token_type": "JWT", "expires_in": LIFE.as_secs()}))
    } else {
        (401, json!({"error": "unauthorized_client", "error_description": "cliente no autorizado"}))
    };
    let (_, coding) = parts(fault);
    Answer::coded(status, Format::Json, &body.to_string(), coding)
}
