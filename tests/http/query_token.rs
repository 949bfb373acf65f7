//! A token in the query string is refused, with a message that says where it belongs.

use kuraka_sandbox::sample;

use crate::shared::shared;

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_token_in_the_query_string_is_refused_and_free() {
    let (app, owner) = shared().await;
    let token = &owner.token;
    for name in ["token", "access_token", "api_key", "apikey", "api_token", "API-Token", "authorization", "t%6fken"] {
        let query = format!("{name}={token}");
        for request in [
            app.post(&format!("/ruc?{query}")).ruc(sample::COMPANY),
            app.post(&format!("/api/ruc-sunat?x=1&{query}")).ruc(sample::COMPANY),
            app.request("GET", &format!("/ruc/{}?{query}", sample::COMPANY)),
            app.request("GET", &format!("/usage?{query}")),
        ] {
            let answer = request.clone().send().await;
            let message = answer.refused("unauthenticated");
            assert!(message.contains("Authorization: Bearer") && message.contains("dirección"), "{message}");
            assert!(!message.contains(token.as_str()));
            assert_eq!(answer.must("www-authenticate"), "Bearer realm=\"kuraka\"");
            // The same beside a valid header: a request has one token.
            let message = request.token(token).send().await.refused("invalid_input");
            assert!(message.contains("Authorization: Bearer"), "{message}");
        }
    }
    assert_eq!(app.used(&owner).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_token_under_any_name_and_any_text_under_the_usual_names_are_refused() {
    let (app, owner) = shared().await;
    let of_token = [owner.token.clone(), format!("k={}", owner.token)];
    let named =
        ["token=otro", "api_key=", "token", "TOKEN=x", "access-token=x", "apiToken=x", "authorization=Bearer%20x"];
    for query in of_token.into_iter().chain(named.map(str::to_owned)) {
        let request = app.post(&format!("/ruc?{query}")).ruc(sample::COMPANY);
        assert!(request.send().await.refused("unauthenticated").contains("dirección"), "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_parameters_are_ignored() {
    let (app, owner) = shared().await;
    for query in ["", "a=b", "ruc=1", "key=value", "%", "tokens=1", "t=kur_x", "=&&="] {
        app.post(&format!("/ruc?{query}")).token(&owner.token).ruc(sample::COMPANY).send().await.found();
    }
    // The path is checked before the token.
    app.request("GET", "/nada?token=x").send().await.refused("route_not_found");
    app.request("GET", "/ruc?token=x").send().await.refused("method_not_allowed");
}
