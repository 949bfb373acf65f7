//! The statements on certificates.

use async_trait::async_trait;
use jiff::Timestamp;
use kuraka_ports::{AccountId, Certificate, CertificateCode, Certificates, NewAuditLine, StoreError, StoreErrorKind};

use super::{Store, row};

#[async_trait]
impl Certificates for Store {
    async fn add_certificate(
        &self,
        certificate: &Certificate,
        content: &[u8],
        most_bytes: u64,
    ) -> Result<(), StoreError> {
        let mut transaction = self.writer_transaction().await?;
        transaction.lock_account(certificate.account).await?;
        let query = sqlx::query(
            "INSERT INTO certificate (code, account, created, title, content)
             SELECT $1, $2, $3, $4, $5
             WHERE (SELECT coalesce(sum(length(content)), 0) FROM certificate WHERE account = $2) <= $6",
        )
        .bind(&certificate.code.0[..])
        .bind(certificate.account.0)
        .bind(certificate.created.as_microsecond())
        .bind(&certificate.title)
        .bind(content)
        .bind(row::count_parameter(most_bytes) - row::count_parameter(content.len() as u64));
        if transaction.execute(query).await? == 0 {
            return Err(StoreError::new(StoreErrorKind::LimitReached));
        }
        self.note(&mut transaction, &line("certificate.create", certificate.account)).await?;
        transaction.commit().await
    }

    async fn certificate(&self, code: CertificateCode) -> Result<Option<(Certificate, Vec<u8>)>, StoreError> {
        let query = sqlx::query("SELECT code, account, created, title, content FROM certificate WHERE code = $1");
        let found = self.reader().await?.fetch_optional(query.bind(&code.0[..])).await?;
        found.map(|found| Ok((row::certificate(&found)?, row::column(&found, "content")?))).transpose()
    }

    async fn certificates(&self, account: AccountId, most: u32) -> Result<Vec<Certificate>, StoreError> {
        let query = sqlx::query(
            "SELECT code, account, created, title FROM certificate WHERE account = $1 ORDER BY created DESC, code LIMIT $2",
        );
        let found = self.reader().await?.fetch_all(query.bind(account.0).bind(i64::from(most))).await?;
        found.iter().map(row::certificate).collect()
    }

    async fn delete_certificate(&self, account: AccountId, code: CertificateCode) -> Result<bool, StoreError> {
        let mut transaction = self.writer_transaction().await?;
        let query = sqlx::query("DELETE FROM certificate WHERE account = $1 AND code = $2").bind(account.0);
        if transaction.execute(query.bind(&code.0[..])).await? == 0 {
            return Ok(false);
        }
        self.note(&mut transaction, &line("certificate.delete", account)).await?;
        transaction.commit().await?;
        self.empty_log().await;
        Ok(true)
    }

    async fn sweep_certificates(&self, before: Timestamp) -> Result<(), StoreError> {
        let query = sqlx::query("DELETE FROM certificate WHERE created < $1").bind(before.as_microsecond());
        self.writer().await?.execute(query).await?;
        Ok(())
    }
}

/// Without the code, which opens the certificate.
fn line(action: &'static str, account: AccountId) -> NewAuditLine {
    let (account, object) = (Some(account), "certificate".to_owned());
    NewAuditLine { action, account, object, ..NewAuditLine::default() }
}
