//! Stands in for the use cases of accounts until they are there.
#![allow(missing_docs, dead_code, clippy::all, clippy::unwrap_used)]
use jiff::Timestamp;
use kuraka_domain::{Date, ResultCode};
use kuraka_ports::*;
use std::net::IpAddr;
use std::sync::Mutex;

pub struct Desk {
    pub accounts: Mutex<Vec<(Account, String)>>,
    pub sessions: Mutex<Vec<(String, AccountId)>>,
    pub tokens: Mutex<Vec<(AccountId, TokenRow)>>,
    pub usage: Mutex<Vec<(AccountId, DayCount)>>,
    pub guesses: Mutex<u32>,
}
#[derive(Clone)]
pub struct TokenRow {
    pub id: TokenId,
    pub name: String,
    pub prefix: String,
    pub created: Timestamp,
    pub last_used: Option<Timestamp>,
    pub expires: Option<Timestamp>,
    pub revoked: Option<Timestamp>,
    pub allowed: Vec<String>,
}
#[derive(Clone)]
pub struct DayCount {
    pub day: Date,
    pub operation: Operation,
    pub code: ResultCode,
    pub count: u64,
}
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    Summary,
    Detail,
    Voucher,
}
pub enum LogInError {
    Wrong,
    TooMany(u64),
    Busy,
    Store(StoreError),
}
pub enum SignUpError {
    Email,
    Taken,
    Short,
    Long,
    Common,
    TooMany(u64),
    Busy,
    Store(StoreError),
}
pub enum TokenError {
    Name,
    Network(String),
    TooMany,
    Store(StoreError),
}
impl Desk {
    pub fn new() -> Self {
        Self {
            accounts: Mutex::default(),
            sessions: Mutex::default(),
            tokens: Mutex::default(),
            usage: Mutex::default(),
            guesses: Mutex::default(),
        }
    }
    pub async fn find(&self, secret: &str) -> Result<Option<Account>, StoreError> {
        let id = self.sessions.lock().unwrap().iter().find(|(s, _)| s == secret).map(|(_, id)| *id);
        Ok(id.and_then(|id| self.accounts.lock().unwrap().iter().find(|(a, _)| a.id == id).map(|(a, _)| a.clone())))
    }
    pub async fn end(&self, secret: &str) -> Result<(), StoreError> {
        self.sessions.lock().unwrap().retain(|(s, _)| s != secret);
        Ok(())
    }
    pub async fn open(&self, id: AccountId) -> Result<String, StoreError> {
        let s = crate::forgery::new_secret().unwrap();
        self.sessions.lock().unwrap().push((s.clone(), id));
        Ok(s)
    }
    pub async fn sign_up(&self, email: &str, password: &str, _from: Option<IpAddr>) -> Result<String, SignUpError> {
        let email = Email::parse(email).map_err(|_| SignUpError::Email)?;
        if password.chars().count() < 8 {
            return Err(SignUpError::Short);
        }
        if password.chars().count() > 128 {
            return Err(SignUpError::Long);
        }
        let id = {
            let mut a = self.accounts.lock().unwrap();
            if a.iter().any(|(a, _)| a.email == email) {
                return Err(SignUpError::Taken);
            }
            let id = AccountId(a.len() as i64 + 1);
            a.push((
                Account {
                    id,
                    email,
                    plan: PlanName::parse("free").unwrap(),
                    status: AccountStatus::Active,
                    created: Timestamp::UNIX_EPOCH,
                },
                password.into(),
            ));
            id
        };
        self.open(id).await.map_err(SignUpError::Store)
    }
    pub async fn log_in(&self, email: &str, password: &str, _from: Option<IpAddr>) -> Result<String, LogInError> {
        let email = Email::parse(email).map_err(|_| LogInError::Wrong)?;
        if *self.guesses.lock().unwrap() > 20 {
            return Err(LogInError::TooMany(30));
        }
        let id =
            self.accounts.lock().unwrap().iter().find(|(a, p)| a.email == email && p == password).map(|(a, _)| a.id);
        match id {
            Some(id) => self.open(id).await.map_err(LogInError::Store),
            None => {
                *self.guesses.lock().unwrap() += 1;
                Err(LogInError::Wrong)
            }
        }
    }
    pub async fn change_password(&self, id: AccountId, current: &str, new: &str) -> Result<(), SignUpError> {
        if new.len() < 8 {
            return Err(SignUpError::Short);
        }
        for (a, p) in self.accounts.lock().unwrap().iter_mut() {
            if a.id == id {
                if p != current {
                    return Err(SignUpError::Taken);
                }
                *p = new.into();
            }
        }
        self.sessions.lock().unwrap().retain(|(_, a)| *a != id);
        Ok(())
    }
    pub async fn delete(&self, id: AccountId, password: &str) -> Result<bool, LogInError> {
        let mut a = self.accounts.lock().unwrap();
        let n = a.len();
        a.retain(|(a, p)| !(a.id == id && p == password));
        if n == a.len() {
            return Err(LogInError::Wrong);
        }
        self.sessions.lock().unwrap().retain(|(_, a)| *a != id);
        Ok(true)
    }
    pub async fn create(
        &self,
        id: AccountId,
        name: &str,
        expires: Option<u32>,
        allowed: &str,
    ) -> Result<String, TokenError> {
        if name.trim().is_empty() {
            return Err(TokenError::Name);
        }
        for line in allowed.lines().map(str::trim).filter(|l| !l.is_empty()) {
            let (a, n) = line.split_once('/').unwrap_or((line, "32"));
            if a.parse::<IpAddr>().is_err() || n.parse::<u8>().map_or(true, |n| n > 32) {
                return Err(TokenError::Network(line.into()));
            }
        }
        let token = kuraka_app::ApiToken::generate(getrandom::fill).unwrap();
        let mut t = self.tokens.lock().unwrap();
        let n = TokenId(t.len() as i64 + 1);
        let created: Timestamp = "2026-11-20T22:10:00Z".parse().unwrap();
        t.push((
            id,
            TokenRow {
                id: n,
                name: name.into(),
                prefix: token.prefix().into(),
                created,
                last_used: (n.0 % 2 == 0).then_some(created),
                expires: expires.map(|d| created + jiff::SignedDuration::from_hours(24 * i64::from(d))),
                revoked: (n.0 == 3).then_some(created),
                allowed: allowed.lines().map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned).collect(),
            },
        ));
        Ok(token.reveal().to_owned())
    }
    pub async fn list(&self, id: AccountId) -> Result<Vec<TokenRow>, StoreError> {
        Ok(self.tokens.lock().unwrap().iter().filter(|(a, _)| *a == id).map(|(_, t)| t.clone()).collect())
    }
    pub async fn revoke(&self, id: AccountId, token: TokenId) -> Result<bool, StoreError> {
        let mut f = false;
        for (a, t) in self.tokens.lock().unwrap().iter_mut() {
            if *a == id && t.id == token {
                t.revoked = Some(Timestamp::UNIX_EPOCH);
                f = true;
            }
        }
        Ok(f)
    }
    pub async fn used(&self, id: AccountId) -> Result<u64, StoreError> {
        Ok(self.history(id).await?.iter().map(|u| u.count).sum::<u64>() % 1000)
    }
    pub async fn history(&self, id: AccountId) -> Result<Vec<DayCount>, StoreError> {
        Ok(self.usage.lock().unwrap().iter().filter(|(a, _)| *a == id).map(|(_, u)| u.clone()).collect())
    }
}
