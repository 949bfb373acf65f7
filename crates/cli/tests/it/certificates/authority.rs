//! A certificate authority of the test, and the certificates of servers that it and others sign.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose, SanType,
    date_time_ymd,
};
use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// A certificate that a server presents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Signed by the authority that the program trusts, for this host and this year.
    Valid,
    Expired,
    NotYetValid,
    SelfSigned,
    OtherHost,
    /// Signed by an authority that the program does not trust.
    UnknownAuthority,
    /// The same, and that authority has the name of the trusted one.
    FalseAuthority,
}

impl Kind {
    pub(crate) const FAULTY: [Self; 6] = [
        Self::Expired,
        Self::NotYetValid,
        Self::SelfSigned,
        Self::OtherHost,
        Self::UnknownAuthority,
        Self::FalseAuthority,
    ];

    /// What the log says about it.
    pub(crate) const fn reason(self) -> &'static str {
        match self {
            Self::Valid => "",
            Self::Expired => "certificate expired",
            Self::NotYetValid => "certificate not valid yet",
            Self::SelfSigned | Self::UnknownAuthority => "UnknownIssuer",
            Self::FalseAuthority => "BadSignature",
            Self::OtherHost => "certificate not valid for name \"127.0.0.1\"",
        }
    }
}

/// An authority that can sign certificates.
pub(crate) struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub(crate) fn new() -> Self {
        Self::named("Authority of a test")
    }

    fn named(name: &str) -> Self {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, name);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        Self(CertifiedIssuer::self_signed(parameters, KeyPair::generate().unwrap()).unwrap())
    }

    /// The authority's own certificate, as a file of trusted authorities holds it.
    pub(crate) fn pem(&self) -> String {
        self.0.pem()
    }

    /// The TLS settings of a server on this machine with a certificate of this kind.
    pub(crate) fn server(&self, kind: Kind) -> Arc<ServerConfig> {
        let mut parameters = CertificateParams::default();
        parameters.distinguished_name.push(DnType::CommonName, "Server of a test");
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        parameters.subject_alt_names = vec![if kind == Kind::OtherHost {
            SanType::DnsName("other.example.pe".try_into().unwrap())
        } else {
            SanType::IpAddress(host)
        }];
        if kind == Kind::Expired {
            parameters.not_after = date_time_ymd(2025, 1, 1);
        }
        if kind == Kind::NotYetValid {
            parameters.not_before = date_time_ymd(2090, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let signed = match kind {
            Kind::SelfSigned => parameters.self_signed(&key),
            Kind::UnknownAuthority => parameters.signed_by(&key, &Self::named("Another authority").0),
            Kind::FalseAuthority => parameters.signed_by(&key, &Self::new().0),
            Kind::Valid | Kind::Expired | Kind::NotYetValid | Kind::OtherHost => parameters.signed_by(&key, &self.0),
        };
        let chain: Vec<CertificateDer<'static>> = vec![signed.unwrap().der().clone()];
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        let builder = ServerConfig::builder_with_provider(Arc::new(default_provider()));
        let builder = builder.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        Arc::new(builder.with_single_cert(chain, key).unwrap())
    }
}
