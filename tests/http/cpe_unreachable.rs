//! A voucher service or a token endpoint that accepts no connections.

use kuraka_sandbox::upstream::{CLIENT_SECRET, VOUCHERS};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::app::scene;
use crate::reliability::{detail, figure};
use crate::sandbox::{claim, sandbox};
use crate::unreachable::{CONNECTION, Nowhere, SILENT, TIMEOUT};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unreachable_voucher_service_fails_within_the_connect_timeout() {
    let upstream = sandbox().await;
    let known = scene().start().await;
    let elsewhere = Nowhere::beside(upstream.address()).await;
    let mut servers = Vec::new();
    for (what, address) in elsewhere.addresses() {
        let nowhere = format!("{address}/{{client_id}}/{{ruc}}");
        let (tokens, vouchers) = (upstream.token_url(), upstream.vouchers_url());
        for (whose, token_url, api_url) in
            [("token endpoint", &nowhere, &vouchers), ("voucher service", &tokens, &nowhere)]
        {
            let scene = scene().voucher_settings(token_url, api_url, CLIENT_SECRET).with_editions_of(&known);
            servers.push((whose, what, scene.start().await));
        }
    }
    let mut rows = JoinSet::new();
    for (whose, what, mut app) in servers {
        rows.spawn(async move {
            let owner = app.owner().await;
            let begun = Instant::now();
            let answer = app.post("/cpe").token(&owner.token).json(claim(&VOUCHERS[0]).to_string()).send().await;
            let took = begun.elapsed();
            app.stop().await;
            answer.refused("upstream_unavailable");
            assert!(took <= CONNECTION, "{whose}, {what}: {took:?}");
            assert!(what != SILENT || took >= TIMEOUT, "{whose}, {what}: {took:?}: no wait for the handshake");
            detail(&format!("{whose}: {what}: {took:.1?}"));
            took
        });
    }
    let longest = rows.join_all().await.into_iter().max().unwrap();
    figure(
        "U26, U27",
        "four ways not to be connected to, at the token endpoint and at the voucher service",
        &format!("longest {longest:.1?}"),
    );
}
