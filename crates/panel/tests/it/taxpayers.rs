//! Taxpayers for the fake registry, and editions of its datasets.

use std::sync::Arc;

use kuraka_domain::{
    AnnexPremises, DatasetRole, Date, DomicileCondition, EconomicActivity, IssueDate, IssuerCondition, IssuerStatus,
    ListMembership, OpenData, OperatingIncapacity, Ruc, Sanction, TaxpayerProfile, TaxpayerStatus, TaxpayerSummary,
    Voucher, VoucherKind, VoucherSeries, VoucherStatus, VoucherValidation,
};
use kuraka_ports::fake::ScriptedValidator;
use kuraka_ports::{DatasetStatus, Edition, EditionOrigin, SnapshotDataset};

use crate::browser::Browser;
use crate::test_app::{self, TestApp, padron};

/// A company of the fake registry.
pub(crate) const COMPANY: &str = "20100119227";
/// A person of the fake registry.
pub(crate) const PERSON: &str = "10999990075";
/// A valid RUC that is not in the fake registry.
pub(crate) const ABSENT: &str = "20999999990";

pub(crate) fn date(text: &str) -> Date {
    Date::parse(text).unwrap()
}

pub(crate) fn ruc(text: &str) -> Ruc {
    Ruc::parse(text).unwrap()
}

/// A taxpayer with every part of its profile.
pub(crate) fn profile(number: &str, status: &str, condition: &str) -> TaxpayerProfile {
    let number = ruc(number);
    let place = "150131".parse().ok();
    let summary = TaxpayerSummary {
        ruc: number,
        name: if number.is_personal() { "PEREZ <B>ANA</B>" } else { "MOLINOS & HIJOS S.A.C." }.to_owned(),
        status: TaxpayerStatus::from_text(status),
        condition: DomicileCondition::from_text(condition),
        address: if number.is_personal() { String::new() } else { "AV. LIMA NRO. 1".to_owned() },
        ubigeo: place.filter(|_| !number.is_personal()),
        withholding_agent: Some(true),
        good_taxpayer: Some(false),
    };
    let open_data = OpenData {
        month: date("2026-10-01"),
        taxpayer_type: "SOCIEDAD ANONIMA CERRADA".to_owned(),
        activities: vec![EconomicActivity {
            rank: kuraka_domain::ActivityRank::Principal,
            ciiu: String::new(),
            description: "MOLIENDA DE GRANOS".to_owned(),
        }],
        workers: Some(1_234),
        issuing_system: "COMPUTARIZADO".to_owned(),
        accounting_system: "MANUAL".to_owned(),
        foreign_trade: "SIN ACTIVIDAD".to_owned(),
    };
    let annex = |number| AnnexPremises { address: format!("JR. ANEXO NRO. {number}"), ubigeo: place };
    TaxpayerProfile {
        lists: Some(vec![ListMembership {
            dataset: "retencion",
            title: "Agentes de retención del IGV",
            since: Some(date("2002-06-01")),
            resolution: "R.S.037-2002".to_owned(),
        }]),
        annex_count: Some(5),
        annexes: Some((1..=5).map(annex).collect()),
        open_data: Some(Some(Box::new(open_data))),
        operating_incapacity: Some(None),
        sanctions: Some(Vec::new()),
        ..TaxpayerProfile::from_summary(summary)
    }
}

/// The profile without operating capacity.
pub(crate) fn incapable(profile: TaxpayerProfile) -> TaxpayerProfile {
    let incapacity =
        OperatingIncapacity { resolution: "R.I. 7".to_owned(), resolved: None, final_since: Some(date("2025-05-06")) };
    TaxpayerProfile { operating_incapacity: Some(Some(incapacity)), ..profile }
}

/// The profile with a definitive sanction.
pub(crate) fn sanctioned(profile: TaxpayerProfile) -> TaxpayerProfile {
    let sanction = Sanction { since: date("2025-11-01"), until: None, reason: "DOCUMENTO FALSO".to_owned() };
    TaxpayerProfile { sanctions: Some(vec![sanction]), ..profile }
}

/// An invoice of [`COMPANY`] of the 1st, with this number.
pub(crate) fn voucher(number: &str) -> Voucher {
    Voucher {
        issuer: ruc(COMPANY),
        kind: VoucherKind::Invoice,
        series: VoucherSeries::parse("F001").unwrap(),
        number: number.parse().unwrap(),
        issued: IssueDate::new(date("2026-11-01"), date("2026-11-20")).unwrap(),
        total: "118.00".parse().unwrap(),
    }
}

/// A validator that knows the invoices 1 (accepted), 2 (annulled) and 3 (accepted, of an issuer that is NO HABIDO).
pub(crate) fn validator() -> ScriptedValidator {
    let known = [
        ("1", VoucherStatus::Accepted, IssuerCondition::Found),
        ("2", VoucherStatus::Annulled, IssuerCondition::Found),
        ("3", VoucherStatus::Accepted, IssuerCondition::Missing),
    ];
    ScriptedValidator::new("source").with(known.map(|(number, status, condition)| {
        let Voucher { issuer, series, number, .. } = voucher(number);
        let (issuer_status, issuer_condition) = (Some(IssuerStatus::Active), Some(condition));
        let usual = "El comprobante de pago consultado ha sido emitido a otro contribuyente.";
        let observations = vec!["Una observación".to_owned(), usual.to_owned()];
        let validation =
            VoucherValidation { issuer, series, number, status, issuer_status, issuer_condition, observations };
        (voucher(&number.to_string()), validation)
    }))
}

/// The datasets beside the padrón, by name and title.
const OTHERS: [(&str, DatasetRole, &str); 6] = [
    ("retencion", DatasetRole::List(None), "Agentes de retención del IGV"),
    ("percepcion_combustibles", DatasetRole::List(None), "Agentes de percepción del IGV: combustibles"),
    ("anexos", DatasetRole::Annexes, "Locales anexos"),
    ("datos_abiertos", DatasetRole::OpenData, "Datos abiertos"),
    ("ssco", DatasetRole::Capacity, "Sujetos sin capacidad operativa"),
    ("sanciones", DatasetRole::Sanctions, "Proveedores sancionados"),
];

fn edition(name: &str) -> Edition {
    let digest = (name == "padron").then(|| "0a".repeat(32).into());
    Edition { digest, ..test_app::edition(&format!("2026-11-19-{name}"), 1) }
}

impl TestApp {
    /// Publishes the bundled sample in place of the published files.
    pub(crate) fn publish_sample(&self, profiles: impl IntoIterator<Item = TaxpayerProfile>) {
        let sample = Edition { origin: EditionOrigin::Sample, ..edition("padron") };
        let others = OTHERS.map(|(name, ..)| SnapshotDataset {
            name,
            edition: Some(Arc::new(edition(name))),
            is_damaged: false,
        });
        self.registry.publish_all(sample, profiles, others);
    }

    /// As [`TestApp::owner`], with these taxpayers in recent editions of all datasets.
    pub(crate) async fn publishing(
        profiles: impl IntoIterator<Item = TaxpayerProfile>,
    ) -> (&'static Self, Browser<'static>) {
        let (app, owner) = Self::owner().await;
        app.publish(profiles, &[], &[]);
        (app, owner)
    }

    /// Publishes these taxpayers in the editions of the 19th. The datasets in `missing` have no edition, those in `old`
    /// are too old.
    pub(crate) fn publish(&self, profiles: impl IntoIterator<Item = TaxpayerProfile>, missing: &[&str], old: &[&str]) {
        let state = |name: &'static str| SnapshotDataset {
            name,
            edition: (!missing.contains(&name)).then(|| Arc::new(edition(name))),
            is_damaged: false,
        };
        self.registry.publish_all(edition("padron"), profiles, OTHERS.map(|(name, ..)| state(name)));
        let status =
            |(name, role, title)| DatasetStatus { name, role, title, is_too_old: old.contains(&name), ..padron() };
        let padron = ("padron", DatasetRole::Summary, "Padrón reducido del RUC");
        self.set_datasets(&[padron].into_iter().chain(OTHERS).map(status).collect::<Vec<_>>());
    }
}
