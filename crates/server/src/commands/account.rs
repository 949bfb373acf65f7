//! `kuraka account`: who may own tokens.

use std::io::Read;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::passwords::Passwords;
use kuraka_ports::{Accounts, Clock, Email, PlanName, StoreErrorKind};
use kuraka_server::settings::Settings;
use secrecy::SecretString;

use super::{Failure, account_of, block_on, open_store};
use crate::cli::Account;
use crate::console;

/// Characters of a password; the same limits as in the panel.
const PASSWORD_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

pub(crate) fn run(command: Account, settings: &Settings) -> Result<(), Failure> {
    match command {
        Account::Create { email, plan } => block_on(create(settings, &email, &plan)),
        Account::SetPassword { email } => block_on(set_password(settings, &email)),
    }
}

async fn create(settings: &Settings, email: &str, plan: &str) -> Result<(), Failure> {
    let email = Email::parse(email)?;
    let plan = PlanName::parse(plan)?;
    if settings.plans.find(&plan).is_none() {
        let known: Vec<&str> = settings.plans.names().map(PlanName::as_str).collect();
        return Err(format!("there is no plan {plan} in the settings; the plans are {}", known.join(", ")).into());
    }
    let store = open_store(settings).await?;
    let account = store.create(&email, &plan, SystemClock::start().now()).await.map_err(|error| match error.kind {
        StoreErrorKind::Conflict => Failure::from(format!("there is already an account {}", email.as_str())),
        StoreErrorKind::Unavailable | StoreErrorKind::Missing | StoreErrorKind::Unreadable => error.into(),
    })?;
    store.close().await;
    let row = [account.id.to_string(), account.email.as_str().to_owned(), account.plan.to_string()];
    console::table(["ID", "EMAIL", "PLAN"], &[row]);
    Ok(())
}

async fn set_password(settings: &Settings, email: &str) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&store, email).await?;
    let hash = Passwords::new().hash(read_password(&mut std::io::stdin().lock())?).await?;
    store.set_password_hash(account.id, &hash).await?;
    store.close().await;
    console::note(&format!("the password of {} is set", account.email.as_str()));
    Ok(())
}

/// The password on standard input, without the line's end.
fn read_password(input: &mut impl Read) -> Result<SecretString, Failure> {
    let mut bytes = Vec::new();
    // More than the longest password in UTF-8 with its line's end: a longer input is refused, never cut.
    input.take(4 * *PASSWORD_LENGTH.end() as u64 + 3).read_to_end(&mut bytes)?;
    let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let length = String::from_utf8_lossy(line).chars().count();
    let (least, most) = PASSWORD_LENGTH.into_inner();
    if length > most {
        return Err(format!("a password has from {least} to {most} characters, standard input gave more").into());
    }
    if length < least {
        return Err(format!("a password has from {least} to {most} characters, standard input gave {length}").into());
    }
    let password =
        str::from_utf8(line).map_err(|_| "a password is text in UTF-8, standard input gave something else")?;
    Ok(SecretString::from(password))
}
