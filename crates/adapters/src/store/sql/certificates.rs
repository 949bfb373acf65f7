//! The statements on certificates.

use async_trait::async_trait;
use kuraka_ports::{
    AccountId, Certificate, CertificateCode, Certificates, NewAuditLine, StoreError, StoreErrorKind, StoreResult,
};

use super::{DbRow, Store, row};
use crate::store::parameter::integer;

#[async_trait]
impl Certificates for Store {
    async fn add_certificate(&self, certificate: &Certificate, content: &[u8], most_bytes: u64) -> StoreResult<()> {
        let Certificate { code, account, created, title } = certificate;
        let mut transaction = self.writer_transaction().await?;
        transaction.lock_account(*account).await?;
        let statement = "INSERT INTO certificate (code, account, created, title, content)
             SELECT $1, $2, $3, $4, $5
             WHERE (SELECT coalesce(sum(length(content)), 0) FROM certificate WHERE account = $2) <= $6";
        let room = integer(most_bytes) - integer(content.len() as u64);
        if transaction.execute(statement, &[&code.0, &account.0, created, title, &content, &room]).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        // Without the code, which opens the certificate.
        self.note(&mut transaction, &NewAuditLine::for_object("certificate.create", *account, "certificate")).await?;
        transaction.commit().await
    }

    async fn certificate(&self, code: CertificateCode) -> StoreResult<Option<(Certificate, Vec<u8>)>> {
        let statement = "SELECT code, account, created, title, content FROM certificate WHERE code = $1";
        let read = |found: &DbRow| Ok((row::certificate(found)?, row::column(found, "content")?));
        self.reader().await?.find(statement, &[&code.0], read).await
    }

    async fn certificates(&self, account: AccountId, most: u32) -> StoreResult<Vec<Certificate>> {
        let statement = "SELECT code, account, created, title FROM certificate
             WHERE account = $1 ORDER BY created DESC, code LIMIT $2";
        self.reader().await?.list(statement, &[&account.0, &most], row::certificate).await
    }

    async fn delete_certificate(&self, account: AccountId, code: CertificateCode) -> StoreResult<bool> {
        let mut transaction = self.writer_transaction().await?;
        let statement = "DELETE FROM certificate WHERE account = $1 AND code = $2";
        if transaction.execute(statement, &[&account.0, &code.0]).await? == 0 {
            return Ok(false);
        }
        self.note(&mut transaction, &NewAuditLine::for_object("certificate.delete", account, "certificate")).await?;
        transaction.commit().await?;
        self.empty_log().await;
        Ok(true)
    }
}
