//! The tax authority's voucher service: recorded and invented answers, damaged ones, and exchanges with the sandbox.
#![expect(clippy::indexing_slicing, reason = "a test that cannot go on stops")]

mod answers;
mod config;
mod contract;
mod credentials;
mod exchange;
mod tokens;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use kuraka_adapters::sources::sunat_vouchers::{Config, Credentials, SunatVouchers};
use kuraka_domain::{Date, IssueDate, Ruc, Voucher, VoucherSeries};
use kuraka_ports::contract::samples::NOW;
use kuraka_ports::fake::ManualClock;
use kuraka_ports::{SourceError, VoucherAnswer, VoucherValidator};
use kuraka_sandbox::upstream::{
    CLIENT_ID, CLIENT_SECRET, ISSUER, KnownVoucher, REQUESTER_RUC, Target, Upstream, VOUCHERS,
};
use tokio::runtime::Handle;

use crate::http::client;

/// The service, with the sandbox behind it and a manual clock.
struct House {
    upstream: Upstream,
    clock: Arc<ManualClock>,
    service: Arc<SunatVouchers>,
}

impl House {
    async fn build() -> Self {
        Self::with([CLIENT_SECRET]).await
    }

    /// One set of credentials for each secret.
    async fn with<const N: usize>(secrets: [&str; N]) -> Self {
        Self::asking(client("Kuraka tests"), secrets).await
    }

    async fn asking<const N: usize>(http: reqwest::Client, secrets: [&str; N]) -> Self {
        let upstream = Upstream::start(([127, 0, 0, 1], 0).into(), Vec::new()).await.unwrap();
        let clock = Arc::new(ManualClock::at(NOW));
        let sets = secrets.map(credentials).to_vec();
        let config = Config::new(&upstream.token_url(), &upstream.vouchers_url(), sets).unwrap();
        let service = SunatVouchers::new(config, http, clock.clone(), Handle::current());
        Self { upstream, clock, service: Arc::new(service) }
    }

    async fn ask(&self, known: &KnownVoucher) -> Result<VoucherAnswer, SourceError> {
        self.service.validate(voucher(known)).await
    }

    /// Asks for the first voucher; its status' code.
    async fn status(&self) -> String {
        self.ask(&VOUCHERS[0]).await.unwrap().validation.status.code().to_owned()
    }

    /// Requests that the token endpoint and the service have seen.
    fn requests(&self) -> (u64, u64) {
        let seen = |target| self.upstream.requests_in_all(&target);
        (seen(Target::Token), seen(Target::Vouchers))
    }

    fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

fn credentials(secret: &str) -> Credentials {
    Credentials {
        ruc: Ruc::parse(REQUESTER_RUC).unwrap(),
        client_id: CLIENT_ID.to_owned(),
        client_secret: secret.to_owned().into(),
    }
}

/// The claim that a known voucher fulfils.
fn voucher(known: &KnownVoucher) -> Voucher {
    let kind = known.kind.parse().unwrap();
    let day = Date::parse(known.issued).unwrap();
    Voucher {
        issuer: Ruc::parse(ISSUER).unwrap(),
        kind,
        series: VoucherSeries::parse(known.series).unwrap(),
        number: known.number.to_string().parse().unwrap(),
        issued: IssueDate::new(day, day).unwrap(),
        total: known.total.parse().unwrap(),
    }
}
