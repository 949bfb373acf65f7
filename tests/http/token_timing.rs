//! The time of a 401 tells nothing about the active tokens. Of tokens with a right checksum, it does not tell whether
//! the token is unknown, revoked, or almost an active one; of the others, not whether it is almost an active one.
//! `RELIABILITY_TIMING` sets the number of samples of each.

use std::time::Duration;

use kuraka_app::ApiToken;
use kuraka_ports::TokenKey;
use kuraka_sandbox::sample;
use tokio::time::Instant;

use crate::app::{App, now, scene};
use crate::reliability::{figure, number};
use crate::welch::{shuffled, t};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// With a right checksum: unknown, revoked, and almost active. With a wrong one: invented, and almost active.
const CASES: usize = 5;

/// An active token with another last character before the checksum, and the checksum of this key.
fn almost(token: &str, key: &TokenKey) -> String {
    let mut random: Vec<u8> = token.bytes().skip("kur_".len()).take(30).collect();
    random[29] = if random[29] == b'a' { b'b' } else { b'a' };
    let bytes = random.iter().map(|letter| ALPHABET.iter().position(|known| known == letter).unwrap() as u8);
    let bytes: Vec<u8> = bytes.chain([0, 0]).collect();
    let near = ApiToken::generate(kuraka_ports::TokenKind::Live, key, |buffer| {
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
    for case in shuffled(CASES, samples) {
        let token = &tokens[case][times[case].len() % tokens[case].len()];
        let request = app.post("/ruc").token(token).ruc(sample::COMPANY);
        let began = Instant::now();
        let answer = wire.ask(&request).await;
        times[case].push(began.elapsed());
        answer.refused("unauthenticated");
    }
    times
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_of_a_refusal_tells_nothing_about_the_token() {
    let samples = number("TIMING", 200) as usize;
    let app = scene().start().await;
    let (key, other_key) = (app.store.token_key().await.unwrap(), TokenKey([1; 32]));
    let mut tokens: [Vec<String>; CASES] = Default::default();
    for _ in 0..20 {
        let owner = app.owner().await;
        let invented = ApiToken::generate(kuraka_ports::TokenKind::Live, &other_key, getrandom::fill).unwrap();
        let (token, id) = app.token_of(owner.account).await;
        assert!(app.store.revoke(None, id, now()).await.unwrap());
        let unknown = app.unknown_token().await.reveal().to_owned();
        let (near, wrong) = (almost(&owner.token, &key), almost(&owner.token, &other_key));
        for (case, token) in tokens.iter_mut().zip([unknown, token, near, invented.reveal().to_owned(), wrong]) {
            case.push(token);
        }
    }
    let [unknown, revoked, near, invented, wrong] = refusals(&app, tokens, samples).await;
    let values = [t(&unknown, &revoked), t(&unknown, &near), t(&invented, &wrong)];
    figure(
        "S3",
        &format!(
            "{samples} calls each with unknown, revoked, invented and almost right tokens, the times of the refusals"
        ),
        &format!("Welch's t {:.2}, {:.2} and {:.2}", values[0], values[1], values[2]),
    );
    assert!(values.iter().all(|t| t.abs() < 4.5), "t = {values:?}");
}
