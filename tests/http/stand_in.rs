//! The outside world of a test: a stand-in for the official page and for every provider that is shipped.

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_domain::Ruc;
use kuraka_sandbox::upstream::{Config, ISSUER, KnownVoucher, MARK, ProviderShape, Target, Upstream};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The provider behind the page where one is enough: the one whose answers mirror it.
pub(crate) const PROVIDER: &str = "apisperu";

/// A stand-in on a port of its own, healthy.
pub(crate) async fn stand_in() -> Upstream {
    let shape = |name, text| ProviderShape::from_file(name, text).unwrap();
    let providers = PRESETS.iter().map(|preset| shape(preset.name, preset.text)).collect();
    Upstream::start(([127, 0, 0, 1], 0).into(), Config { providers, pace: None }).await.unwrap()
}

/// Requests for this RUC that the page and [`PROVIDER`] have seen.
pub(crate) fn asked(upstream: &Upstream, ruc: &str) -> [u64; 2] {
    let ruc = Ruc::parse(ruc).unwrap();
    [Target::Official, Target::provider(PROVIDER)].map(|target| upstream.requests(&target, ruc))
}

/// The body that asks about a voucher of the stand-in.
pub(crate) fn claim(known: &KnownVoucher) -> Value {
    json!({
        "ruc_emisor": ISSUER,
        "codigo_tipo_documento": known.kind,
        "serie_documento": known.series,
        "numero_documento": known.number.to_string(),
        "fecha_de_emision": known.issued,
        "total": known.total.parse::<f64>().unwrap(),
    })
}

/// Requests that the token endpoint and the voucher service have seen.
pub(crate) fn asked_about_vouchers(upstream: &Upstream) -> [u64; 2] {
    [Target::Token, Target::Vouchers].map(|target| upstream.requests_in_all(&target))
}

/// A way to the stand-in that takes the mark off its answers, as if they came from the real world.
pub(crate) async fn unmarked(upstream: &Upstream) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, to) = (listener.local_addr().unwrap().to_string(), upstream.address());
    let relaying = tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut behind = TcpStream::connect(to).await.unwrap();
            let mut answer = Vec::new();
            let ((mut question, _), (mut told, mut asked)) = (client.split(), behind.split());
            tokio::select! {
                // Ends only if the client goes away: it waits for its answer with its own side open.
                _ = tokio::io::copy(&mut question, &mut asked) => continue,
                read = told.read_to_end(&mut answer) => drop(read.unwrap()),
            }
            let mark = format!("{}: {}\r\n", MARK.0, MARK.1);
            let at = answer.windows(mark.len()).position(|bytes| bytes == mark.as_bytes()).unwrap();
            answer.drain(at..at + mark.len());
            client.write_all(&answer).await.unwrap();
        }
    });
    (address, relaying)
}
