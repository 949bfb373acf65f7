//! The source keeps the port's promises, with the sandbox as the service.

use kuraka_domain::{IssuerCondition, IssuerStatus, VoucherStatus, VoucherValidation};
use kuraka_ports::SourceErrorKind;
use kuraka_ports::contract::voucher_validator::Working;
use kuraka_sandbox::upstream::{Upstream, VOUCHERS};

use super::{House, SunatVouchers, voucher};

kuraka_ports::contract!(voucher_validator, SunatVouchers, working().await);

async fn working() -> (Working<SunatVouchers>, Upstream) {
    let House { upstream, service, .. } = House::build().await;
    let said = |at: usize, observations: &[&str]| {
        let voucher = voucher(&VOUCHERS[at]);
        let validation = VoucherValidation {
            issuer: voucher.issuer,
            series: voucher.series,
            number: voucher.number,
            status: VoucherStatus::Accepted,
            issuer_status: Some(IssuerStatus::Active),
            issuer_condition: Some(IssuerCondition::Found),
            observations: observations.iter().map(|text| (*text).to_owned()).collect(),
        };
        (voucher, validation)
    };
    let known =
        vec![said(0, &[]), said(1, &["El comprobante de pago consultado ha sido emitido a otro contribuyente."])];
    let named = |about: &str| voucher(VOUCHERS.iter().find(|known| known.about == about).unwrap());
    let working = Working {
        source: service,
        known,
        unknown: named("not reported"),
        failing: (named("no status"), SourceErrorKind::Unavailable),
        rejected: (named("rejected for its date"), "Fecha incorrecta"),
    };
    (working, upstream)
}
