//! Authentication: the answers of RFC 6750.

use kuraka_sandbox::sample;

use crate::answer::Answer;
use crate::app::App;
use crate::shared::shared;

const NOTHING_SENT: &str = r#"Bearer realm="kuraka""#;
const NOT_GOOD: &str = r#"Bearer realm="kuraka", error="invalid_token""#;

async fn with_header(app: &App, value: impl AsRef<[u8]>) -> Answer {
    app.post("/ruc").header("Authorization", value).ruc(sample::COMPANY).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_missing_token_gets_a_challenge_without_an_error() {
    let (app, owner) = shared().await;
    let (token, post) = (&owner.token, || app.post("/ruc").ruc(sample::COMPANY));
    let form = app.post("/ruc").header("Content-Type", "application/x-www-form-urlencoded");
    let mut requests = vec![
        (post(), "Falta el token."),
        (app.post("/api/ruc").ruc(sample::COMPANY), "Falta el token."),
        // The server ignores a token in the body and in other headers.
        (form.body(format!("access_token={token}")), "Falta el token."),
        (post().header("Cookie", format!("token={token}")), "Falta el token."),
        (post().header("X-Api-Key", token), "Falta el token."),
    ];
    for value in ["", "Bearer", "Token abc", "Digest x", &format!("Bearer\t{token}"), &format!("Basic {token}")] {
        requests.push((post().header("Authorization", value), ""));
    }
    for value in [token, "Basic a3VyOng="] {
        requests.push((post().header("Authorization", value), "El encabezado Authorization debe decir Bearer"));
    }
    for (request, start) in requests {
        let answer = request.send().await;
        let message = answer.refused("unauthenticated");
        assert!(message.starts_with(start), "{message}");
        assert_eq!(answer.must("www-authenticate"), NOTHING_SENT);
        assert_eq!((answer.header("ratelimit"), answer.header("ratelimit-policy")), (None, None));
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_invalid_token_gets_a_challenge_with_invalid_token() {
    let (app, owner) = shared().await;
    let unknown = app.unknown_token().await;
    let invented = format!("kur_{:036}", 7);
    let mistyped = format!("{}!", &owner.token[..owner.token.len() - 1]);
    let swapped = owner.token.to_ascii_lowercase();
    let long = format!("{}{}", owner.token, "a".repeat(8_000));
    let mut values: Vec<Vec<u8>> = ["x", "kur_", "null", &mistyped, &swapped, &long, &invented, unknown.reveal()]
        .iter()
        .map(|token| format!("Bearer {token}").into_bytes())
        .collect();
    values.push(b"Bearer \xf1and\xfa".to_vec());
    values.push(format!("Bearer {}, Bearer {0}", owner.token).into_bytes());
    values.push(format!("Bearer {} {0}", owner.token).into_bytes());
    for value in values {
        let answer = with_header(app, &value).await;
        let is_unknown = value.ends_with(unknown.reveal().as_bytes());
        let start =
            if is_unknown { "El token no existe, venció o fue revocado." } else { "El token está mal copiado" };
        let message = answer.refused("unauthenticated");
        assert!(message.starts_with(start), "{message}");
        assert_eq!(answer.must("www-authenticate"), NOT_GOOD, "{:?}", String::from_utf8_lossy(&value));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn the_scheme_ignores_case_and_the_token_ignores_blanks() {
    let (app, owner) = shared().await;
    for value in ["Bearer T", "bearer T", "BEARER T", "Bearer  T", "Bearer T  "] {
        with_header(app, value.replace('T', &owner.token)).await.found();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn two_authorization_headers_are_invalid_input_and_free() {
    let (app, owner) = shared().await;
    let answer = app.post("/ruc").token(&owner.token).token(&owner.token).ruc(sample::COMPANY).send().await;
    assert!(answer.refused("invalid_input").contains("Authorization"));
    assert_eq!(answer.header("www-authenticate"), None);
    assert_eq!(app.used(&owner).await, 0);
}
