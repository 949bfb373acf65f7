//! The sandbox of a test: a simulated official page, voucher service, and every preset provider.

use std::sync::LazyLock;

use kuraka_adapters::sources::provider_api::PRESETS;
use kuraka_domain::Ruc;
use kuraka_sandbox::upstream::{ISSUER, KnownVoucher, MARK, ProviderShape, Target, Upstream};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// The provider that tests use as the fallback of the page. Its answers have the same data as the page.
pub(crate) const PROVIDER: &str = "apisperu";

/// Starts a healthy sandbox on its own port.
pub(crate) async fn sandbox() -> Upstream {
    static SHAPES: LazyLock<Vec<ProviderShape>> = LazyLock::new(|| {
        PRESETS.iter().map(|preset| ProviderShape::from_file(preset.name, preset.text).unwrap()).collect()
    });
    Upstream::start(([127, 0, 0, 1], 0).into(), SHAPES.clone()).await.unwrap()
}

/// How many requests for this RUC the page and [`PROVIDER`] have got.
pub(crate) fn asked(upstream: &Upstream, ruc: &str) -> [u64; 2] {
    let ruc = Ruc::parse(ruc).unwrap();
    [Target::Official, Target::provider(PROVIDER)].map(|target| upstream.requests(&target, ruc))
}

/// The body that validates a voucher of the sandbox.
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

/// How many requests the token endpoint and the voucher service have got.
pub(crate) fn asked_about_vouchers(upstream: &Upstream) -> [u64; 2] {
    [Target::Token, Target::Vouchers].map(|target| upstream.requests_in_all(&target))
}

/// A relay to the sandbox that removes the sandbox's mark from the answers, as if SUNAT had sent them.
pub(crate) async fn unmarked(upstream: &Upstream) -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, to) = (listener.local_addr().unwrap().to_string(), upstream.address());
    let relaying = tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let mut behind = TcpStream::connect(to).await.unwrap();
            let mut answer = Vec::new();
            let ((mut question, _), (mut told, mut asked)) = (client.split(), behind.split());
            tokio::select! {
                // Ends only if the client disconnects, because it keeps its sending side open while it waits.
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
