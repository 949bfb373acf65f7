//! Certificates in memory.

use std::cmp::Reverse;

use async_trait::async_trait;

use super::MemoryStore;
use crate::{AccountId, Certificate, CertificateCode, Certificates, StoreError, StoreErrorKind, StoreResult};

#[async_trait]
impl Certificates for MemoryStore {
    async fn add_certificate(&self, certificate: &Certificate, content: &[u8], most_bytes: u64) -> StoreResult<()> {
        let mut rows = self.call()?;
        rows.account(certificate.account)?;
        let own = rows.certificates.iter().filter(|(row, _)| row.account == certificate.account);
        let bytes: usize = own.map(|(_, content)| content.len()).sum();
        if (bytes + content.len()) as u64 > most_bytes {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        rows.certificates.push((certificate.clone(), content.to_vec()));
        rows.note("certificate.create", certificate.account, "certificate".to_owned());
        Ok(())
    }

    async fn certificate(&self, code: CertificateCode) -> StoreResult<Option<(Certificate, Vec<u8>)>> {
        Ok(self.call()?.certificates.iter().find(|(row, _)| row.code == code).cloned())
    }

    async fn certificates(&self, account: AccountId, most: u32) -> StoreResult<Vec<Certificate>> {
        let rows = self.call()?;
        let own = rows.certificates.iter().map(|(row, _)| row).filter(|row| row.account == account);
        let mut own: Vec<_> = own.cloned().collect();
        own.sort_by_key(|row| Reverse(row.created));
        own.truncate(most as usize);
        Ok(own)
    }

    async fn delete_certificate(&self, account: AccountId, code: CertificateCode) -> StoreResult<bool> {
        let mut rows = self.call()?;
        let before = rows.certificates.len();
        rows.certificates.retain(|(row, _)| (row.account, row.code) != (account, code));
        let is_deleted = rows.certificates.len() < before;
        if is_deleted {
            rows.note("certificate.delete", account, "certificate".to_owned());
        }
        Ok(is_deleted)
    }
}
