//! A new password by a mailed link, and the confirmation of an account's first or new address. Neither the answer to a
//! request nor its time tells whether the address has an account: the request stores a mail, and the job that sends mails
//! looks the account up.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use kuraka_ports::{
    Account, AccountId, AccountStatus, Clock, CodeKind, Email, MailCodes, MailKind, NewMail, Outbox, PlanName,
    StoreError,
};

use super::sign_in::{LoggedIn, SignIn, SignInError};
use super::throttle::{Allowance, Throttle};
use crate::client_network::ClientNetwork;
use crate::secret::digest_of;

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
        self.request(MailKind::NewPassword, None, to, address_of(from), from).await
    }

    /// Signs up: requests a mail with a link that confirms the address, or with word that it has an account. The account
    /// is created when the mail is first sent.
    ///
    /// # Errors
    /// [`SignInError`]; never `Taken`.
    pub async fn sign_up(
        &self,
        sign_in: &SignIn,
        email: &str,
        password: &str,
        plan: &PlanName,
        from: Option<IpAddr>,
    ) -> Result<(), SignInError> {
        let (to, hash) = sign_in.hash_for_sign_up(email, password, from).await?;
        self.request(MailKind::SignUp, None, to, format!("{hash}\n{plan}\n{}", address_of(from)), from).await
    }

    /// Requests a mail with a link that gives the account this address, or with word that the address has an account,
    /// given the account's password. `session` is the owner's.
    ///
    /// # Errors
    /// [`SignInError`]; never `Taken`.
    pub async fn request_address(
        &self,
        sign_in: &SignIn,
        (account, session): (&Account, &str),
        email: &str,
        password: &str,
        from: Option<IpAddr>,
    ) -> Result<(), SignInError> {
        let to = Email::parse(email).map_err(|_| SignInError::Email)?;
        sign_in.check_password(account, session, password).await?;
        self.request(MailKind::NewAddress, Some(account.id), to, format!("{}\n{}", account.id, address_of(from)), from)
            .await
    }

    async fn request(
        &self,
        kind: MailKind,
        account: Option<AccountId>,
        to: Email,
        about: String,
        from: Option<IpAddr>,
    ) -> Result<(), SignInError> {
        let network = from.map(ClientNetwork::from);
        if self.networks.take(&network).is_err() || self.addresses.take(&to).is_err() {
            return Ok(());
        }
        let mail = NewMail { kind, account, to, about, key: None };
        Ok(self.outbox.add_mail(&mail, self.clock.now()).await?)
    }

    /// # Errors
    /// [`StoreError`].
    pub async fn confirms(&self, code: &str) -> Result<bool, StoreError> {
        let (digest, now) = (digest_of(code), self.clock.now());
        let is_new = self.codes.find_code(&digest, CodeKind::ConfirmAddress, now).await?.is_some();
        Ok(is_new || self.codes.find_code(&digest, CodeKind::ChangeAddress, now).await?.is_some())
    }

    /// Confirms the address of a new account, or gives an account its new address, given its password. Begins a session,
    /// which is the only one. `None` = the code is unknown,
    /// used or expired.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn confirm(&self, sign_in: &SignIn, code: &str, password: &str) -> Result<Option<LoggedIn>, SignInError> {
        let (digest, now) = (digest_of(code), self.clock.now());
        let find = async |kind| self.codes.find_code(&digest, kind, now).await;
        if let Some((id, email)) = find(CodeKind::ChangeAddress).await? {
            return sign_in.take_address(id, (&digest, now), password, &email).await;
        }
        let Some((id, _)) = find(CodeKind::ConfirmAddress).await? else { return Ok(None) };
        let hash = sign_in.check_code_owner(id, AccountStatus::Unconfirmed, &digest, password).await?;
        let Some(hash) = hash else { return Ok(None) };
        if !self.codes.confirm(&digest, now, &hash).await? {
            return Ok(None);
        }
        sign_in.begin(id, &hash, None).await.map(Some).map_err(SignInError::after_new_password)
    }

    /// # Errors
    /// [`StoreError`].
    pub async fn is_valid(&self, code: &str) -> Result<bool, StoreError> {
        Ok(self.codes.find_code(&digest_of(code), CodeKind::NewPassword, self.clock.now()).await?.is_some())
    }

    /// Sets the password of a code's account, and ends its sessions. `None` = the code is unknown, used or expired.
    ///
    /// # Errors
    /// [`SignInError`].
    pub async fn set_password(&self, sign_in: &SignIn, code: &str, password: &str) -> Result<Option<()>, SignInError> {
        let (digest, now) = (digest_of(code), self.clock.now());
        let found = self.codes.find_code(&digest, CodeKind::NewPassword, now).await?;
        let Some((id, _)) = found else { return Ok(None) };
        let Some(hash) = sign_in.hash_for(id, password).await? else { return Ok(None) };
        let is_used = self.codes.use_code(&digest, now, &hash).await?;
        Ok(is_used.then_some(()))
    }
}

/// For the audit log.
fn address_of(from: Option<IpAddr>) -> String {
    from.map(|address| address.to_string()).unwrap_or_default()
}
