//! A new password by a mailed link. Neither the answer to a request nor its time tells whether the address has an
//! account: the request stores a mail, and the job that sends mails looks the account up.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{Clock, CodeDigest, Email, MailCodes, MailKind, NewMail, Outbox, StoreError};
use sha2::{Digest, Sha256};

use super::sign_in::{SignIn, SignInError};
use super::throttle::{Allowance, Throttle};
use crate::client_network::ClientNetwork;

const HOUR: Duration = Duration::from_secs(3_600);

/// The mails that visitors request, of which few are sent to an address and for a network.
pub struct RequestedMails {
    outbox: Arc<dyn Outbox>,
    codes: Arc<dyn MailCodes>,
    clock: Arc<dyn Clock>,
    addresses: Throttle<Email>,
    networks: Throttle<Option<ClientNetwork>>,
}

impl RequestedMails {
    /// Starts with no requested mails.
    #[must_use]
    pub fn new(outbox: Arc<dyn Outbox>, codes: Arc<dyn MailCodes>, clock: Arc<dyn Clock>) -> Self {
        let throttle = |most| Allowance::per(most, HOUR);
        let addresses = Throttle::new(throttle(3), Arc::clone(&clock));
        Self { outbox, codes, addresses, networks: Throttle::new(throttle(10), Arc::clone(&clock)), clock }
    }

    /// Requests a mail with a link for a new password. What is beyond the limits is dropped, and so is a mail to an
    /// address without an account, when it is sent.
    ///
    /// # Errors
    /// [`SignInError::Email`], and any error of the store.
    pub async fn request_password(&self, email: &str, from: Option<IpAddr>) -> Result<(), SignInError> {
        let to = Email::parse(email).map_err(|_| SignInError::Email)?;
        let network = from.map(ClientNetwork::from);
        if self.networks.take(&network).is_err() || self.addresses.take(&to).is_err() {
            return Ok(());
        }
        let about = from.map(|address| address.to_string()).unwrap_or_default();
        let mail = NewMail { kind: MailKind::NewPassword, account: None, to, about, key: None };
        self.outbox.add_mail(&mail, self.clock.now()).await.map_err(SignInError::Store)
    }

    /// Whether a code sets a password.
    ///
    /// # Errors
    /// Any error of the store.
    pub async fn is_valid(&self, code: &str) -> Result<bool, StoreError> {
        Ok(self.codes.find_code(&digest_of(code), self.clock.now()).await?.is_some())
    }

    /// Sets the password of a code's account, and ends its sessions. `None` = the code is unknown, used or expired.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn set_password(&self, sign_in: &SignIn, code: &str, password: &str) -> Result<Option<()>, SignInError> {
        let (digest, now) = (digest_of(code), self.clock.now());
        let Some(id) = self.codes.find_code(&digest, now).await.map_err(SignInError::Store)? else { return Ok(None) };
        let Some(hash) = sign_in.hash_for(id, password).await? else { return Ok(None) };
        let is_used = self.codes.use_code(&digest, now, &hash).await.map_err(SignInError::Store)?;
        Ok(is_used.then_some(()))
    }
}

/// What the store has of a code.
pub(crate) fn digest_of(code: &str) -> CodeDigest {
    CodeDigest(Sha256::digest(code).into())
}
