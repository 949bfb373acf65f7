//! The time of a 401 does not tell whether the token is invented, revoked, or almost an active one.
//! `RELIABILITY_TIMING` sets the number of samples of each.

use std::time::Duration;

use kuraka_app::ApiToken;
use kuraka_sandbox::sample;
use tokio::time::Instant;

use crate::app::{App, now, scene};
use crate::reliability::{figure, number};
use crate::welch::{shuffled, t};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Invented, revoked, and almost active.
const CASES: usize = 3;

fn invented() -> String {
    ApiToken::generate(getrandom::fill).unwrap().reveal().to_owned()
}

/// An active token with another last character before the checksum, and the right checksum.
fn almost(token: &str) -> String {
    let mut random: Vec<u8> = token.bytes().skip("kur_".len()).take(30).collect();
    random[29] = if random[29] == b'a' { b'b' } else { b'a' };
    let bytes = random.iter().map(|letter| ALPHABET.iter().position(|known| known == letter).unwrap() as u8);
    let bytes: Vec<u8> = bytes.chain([0, 0]).collect();
    let near = ApiToken::generate(|buffer| {
        buffer.copy_from_slice(&bytes);
        Ok::<(), std::convert::Infallible>(())
    });
    let near = near.unwrap().reveal().to_owned();
    assert_eq!(near[..33], token[..33]);
    near
}

/// The times of the refusals of each case.
async fn refusals(app: &App, tokens: [Vec<String>; CASES], samples: usize) -> [Vec<Duration>; CASES] {
    let mut wire = app.connect().await;
    let mut times: [Vec<Duration>; CASES] = Default::default();
    for (at, case) in shuffled(CASES, samples).into_iter().enumerate() {
        let token = match tokens[case].get(times[case].len() % tokens[case].len().max(1)) {
            Some(token) => token.clone(),
            None => invented(),
        };
        // Each from another network, so that the limit of unknown tokens is not reached.
        let from = format!("2001:db8:{:x}:{:x}::1", at >> 16, at & 0xffff);
        let request = app.post("/ruc").token(&token).header("X-Forwarded-For", from).ruc(sample::COMPANY);
        let began = Instant::now();
        let answer = wire.ask(&request).await;
        times[case].push(began.elapsed());
        answer.refused("unauthenticated");
    }
    times
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_refusal_tells_nothing_about_the_token() {
    let samples = number("TIMING", 400) as usize;
    let app = scene().behind_a_proxy().start().await;
    let (mut revoked, mut near) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let owner = app.owner().await;
        near.push(almost(&owner.token));
        let (token, id) = app.token_of(owner.account).await;
        assert!(app.store.revoke(id, now()).await.unwrap());
        revoked.push(token);
    }
    let [invented, revoked, near] = refusals(&app, [Vec::new(), revoked, near], samples).await;
    let (against_revoked, against_near) = (t(&invented, &revoked), t(&invented, &near));
    figure(
        "S3",
        &format!("{samples} calls each with invented, revoked and almost right tokens, the times of the refusals"),
        &format!("Welch's t {against_revoked:.2} and {against_near:.2}"),
    );
    assert!(against_revoked.abs() < 4.5 && against_near.abs() < 4.5, "t = {against_revoked}, {against_near}");
}
