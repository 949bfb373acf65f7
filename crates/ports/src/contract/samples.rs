//! Invented values that the suites share.

use jiff::Timestamp;
use kuraka_domain::{
    Date, DomicileCondition, IssueDate, IssuerCondition, IssuerStatus, Ruc, TaxpayerDetail, TaxpayerStatus, Voucher,
    VoucherKind, VoucherSeries, VoucherStatus, VoucherValidation,
};

use crate::{
    Account, AccountId, Accounts, Changed, Email, NewToken, Period, PlanName, Revision, SecretDigest, TokenId, Tokens,
    WatchLimits,
};

/// With microseconds.
pub const NOW: Timestamp = Timestamp::constant(1_795_000_000, 123_456_000);

pub const LATER: Timestamp = Timestamp::constant(1_795_000_060, 654_321_000);

pub const PERIOD: Period = Period { year: 2026, month: 11 };

/// An account may watch `most` RUCs, all free of charge.
pub const fn watch_limits(most: u64) -> WatchLimits {
    WatchLimits { most, free: u64::MAX, paid: 0, now: NOW, month: PERIOD }
}

pub fn email(number: u32) -> Email {
    Email::parse(&format!("user{number}@example.pe")).expect("a valid address")
}

pub fn plan() -> PlanName {
    PlanName::parse("free").expect("a valid plan")
}

pub const HASH: &str = "$argon2id$one";

pub const fn digest(number: u8) -> SecretDigest {
    SecretDigest([number; 32])
}

pub fn token(account: AccountId, number: u8) -> NewToken {
    NewToken {
        account,
        name: format!("token {number}"),
        digest: digest(number),
        prefix: format!("kur_{number:04}"),
        created: NOW,
        expires: None,
        allowed: Vec::new(),
    }
}

pub async fn account<S: Accounts + ?Sized>(store: &S, number: u32) -> Account {
    store.create(&email(number), &plan(), None, NOW).await.expect("an address that is free")
}

pub async fn latest<S: Tokens + ?Sized>(store: &S) -> Revision {
    store.changes(Revision::UNREACHED).await.expect("a store that answers").latest
}

pub async fn named_since<S: Tokens + ?Sized>(store: &S, since: Revision) -> (Vec<AccountId>, Vec<TokenId>) {
    match store.changes(since).await.expect("a store that answers").what {
        Changed::Named { accounts, tokens } => (accounts, tokens),
        Changed::Everything => panic!("the store does not know what changed since {since:?}"),
    }
}

/// Only the mandatory fields.
pub fn detail(ruc: &str, name: &str) -> TaxpayerDetail {
    TaxpayerDetail {
        name: name.to_owned(),
        status: TaxpayerStatus::Active,
        condition: DomicileCondition::Found,
        full_address: "AV. UNO NRO. 1 - LIMA - LIMA - LIMA".to_owned(),
        taxpayer_type: "SOCIEDAD ANONIMA CERRADA".to_owned(),
        ..TaxpayerDetail::empty(Ruc::parse(ruc).expect("a valid RUC"))
    }
}

pub fn voucher(number: u32) -> Voucher {
    let day = Date::new(2026, 11, 1).expect("a real day");
    Voucher {
        issuer: Ruc::parse("20999990062").expect("a valid RUC"),
        kind: VoucherKind::Invoice,
        series: VoucherSeries::parse("F001").expect("a series of invoices"),
        number: number.to_string().parse().expect("at most eight digits"),
        issued: IssueDate::new(day, day).expect("a day that is not in the future"),
        total: "118.00".parse().expect("an amount"),
    }
}

/// The answer about an accepted voucher, with a remark.
pub fn accepted(voucher: &Voucher) -> VoucherValidation {
    VoucherValidation {
        issuer: voucher.issuer,
        series: voucher.series,
        number: voucher.number,
        status: VoucherStatus::Accepted,
        issuer_status: Some(IssuerStatus::Active),
        issuer_condition: Some(IssuerCondition::Found),
        observations: vec!["Una observación.".to_owned()],
    }
}
