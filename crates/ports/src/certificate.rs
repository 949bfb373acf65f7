//! Certificates of an account, which anyone with a certificate's code may read.

use std::fmt;

use async_trait::async_trait;
use jiff::Timestamp;

use crate::{AccountId, ListId, StoreResult};

/// The random code of a certificate. It is a secret of the owner and those who have it: no log has it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CertificateCode(pub [u8; 16]);

/// A certificate without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    pub code: CertificateCode,
    pub account: AccountId,
    pub created: Timestamp,
    /// What its owner knows it by.
    pub title: String,
}

/// [`crate::Accounts::delete`] deletes an account's certificates.
#[async_trait]
pub trait Certificates: Send + Sync + 'static {
    /// Stores a certificate, if the contents of the account's certificates stay within so many bytes. Not safe to call
    /// twice. `LimitReached` if there is no room, `Missing` if there is no such account.
    async fn add_certificate(&self, certificate: &Certificate, content: &[u8], most_bytes: u64) -> StoreResult<()>;

    /// The certificate with this code, of any account, and its content; `None` = there is none, or none any more.
    async fn certificate(&self, code: CertificateCode) -> StoreResult<Option<(Certificate, Vec<u8>)>>;

    /// The account's newest certificates, the newest first, at most so many.
    async fn certificates(&self, account: AccountId, most: u32) -> StoreResult<Vec<Certificate>>;

    /// Deletes a certificate of the account; `false` = it has no such certificate. Safe to call twice.
    async fn delete_certificate(&self, account: AccountId, code: CertificateCode) -> StoreResult<bool>;
}

impl CertificateCode {
    /// Parses 32 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        ListId::parse(text).map(|number| Self(number.0))
    }
}

impl fmt::Display for CertificateCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        ListId(self.0).fmt(f)
    }
}

impl fmt::Debug for CertificateCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateCode(..)")
    }
}
