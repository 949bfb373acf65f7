//! `kuraka account`: creates, lists, changes and deletes accounts.

use std::io::Read;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::passwords::Passwords;
use kuraka_app::password_rules::{self, LONGEST};
use kuraka_ports::{AccountStatus, Accounts, Clock, Email, PlanName, StoreErrorKind};
use kuraka_server::settings::Settings;
use secrecy::{ExposeSecret, SecretString};

use super::runtime::{Failure, block_on};
use super::store_access::{account_of, open_store, read_store};
use crate::cli::{Account, ByEmail};
use crate::console;

pub(crate) fn run(command: Account, settings: &Settings) -> Result<(), Failure> {
    match command {
        Account::Create { email, plan } => block_on(create(settings, &email, &plan)),
        Account::List => block_on(list(settings)),
        Account::SetPassword(ByEmail { email }) => block_on(set_password(settings, &email)),
        Account::SetPlan { email, plan } => block_on(set_plan(settings, &email, &plan)),
        Account::Suspend(ByEmail { email }) => block_on(set_status(settings, &email, AccountStatus::Suspended)),
        Account::Activate(ByEmail { email }) => block_on(set_status(settings, &email, AccountStatus::Active)),
        Account::Delete(ByEmail { email }) => block_on(delete(settings, &email)),
    }
}

/// The name of a plan; an error if the settings do not have it.
fn plan_of(settings: &Settings, name: &str) -> Result<PlanName, Failure> {
    let plan = PlanName::parse(name)?;
    if settings.plans.find(&plan).is_none() {
        let known: Vec<&str> = settings.plans.names().map(PlanName::as_str).collect();
        return Err(format!("there is no plan {plan} in the settings; the plans are {}", known.join(", ")).into());
    }
    Ok(plan)
}

/// Accounts that are read from the store at a time.
const PAGE: u32 = 1_000;

async fn list(settings: &Settings) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let page = store.page(after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        rows.extend(page.into_iter().map(|account| {
            let status = match account.status {
                AccountStatus::Active => "active",
                AccountStatus::Suspended => "suspended",
            };
            let created = account.created.strftime("%Y-%m-%d %H:%M:%SZ").to_string();
            let (email, plan) = (account.email.as_str().to_owned(), account.plan.to_string());
            [account.id.to_string(), email, plan, status.to_owned(), created]
        }));
    }
    store.close().await;
    console::table(["ID", "EMAIL", "PLAN", "STATUS", "CREATED"], &rows);
    Ok(())
}

async fn set_plan(settings: &Settings, email: &str, plan: &str) -> Result<(), Failure> {
    let plan = plan_of(settings, plan)?;
    let store = open_store(settings).await?;
    let account = account_of(&*store, email).await?;
    store.set_plan(account.id, &plan).await?;
    store.close().await;
    console::note(&format!("{} has the plan {plan}", account.email.as_str()));
    Ok(())
}

async fn set_status(settings: &Settings, email: &str, status: AccountStatus) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&*store, email).await?;
    store.set_status(account.id, status).await?;
    store.close().await;
    let what = match status {
        AccountStatus::Active => "is active",
        AccountStatus::Suspended => "is suspended, and its sessions have ended",
    };
    console::note(&format!("{} {what}", account.email.as_str()));
    Ok(())
}

async fn delete(settings: &Settings, email: &str) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&*store, email).await?;
    store.delete(account.id).await?;
    store.close().await;
    console::note(&format!("{} is deleted, with its tokens, sessions and usage", account.email.as_str()));
    Ok(())
}

async fn create(settings: &Settings, email: &str, plan: &str) -> Result<(), Failure> {
    let email = Email::parse(email)?;
    let plan = plan_of(settings, plan)?;
    let store = open_store(settings).await?;
    let account = Accounts::create(&*store, &email, &plan, SystemClock::start().now()).await.map_err(|error| {
        match error.kind {
            StoreErrorKind::Conflict => Failure::from(format!("there is already an account {}", email.as_str())),
            StoreErrorKind::Unavailable
            | StoreErrorKind::Unwritable
            | StoreErrorKind::Missing
            | StoreErrorKind::Unreadable => error.into(),
        }
    })?;
    store.close().await;
    let row = [account.id.to_string(), account.email.as_str().to_owned(), account.plan.to_string()];
    console::table(["ID", "EMAIL", "PLAN"], &[row]);
    Ok(())
}

async fn set_password(settings: &Settings, email: &str) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&*store, email).await?;
    let password = read_password(&mut std::io::stdin().lock())?;
    password_rules::check(password.expose_secret(), account.email.as_str())?;
    let hash = Passwords::new().hash(password).await?;
    store.set_password_hash(account.id, &hash).await?;
    store.close().await;
    console::note(&format!("the password of {} is set, and its sessions have ended", account.email.as_str()));
    Ok(())
}

/// Reads the password from standard input, without the line end.
fn read_password(input: &mut impl Read) -> Result<SecretString, Failure> {
    let mut bytes = Vec::new();
    // The longest password in UTF-8 with its line end. One byte more, so that longer input is not truncated.
    let most = 4 * LONGEST + 2;
    input.take(most as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > most {
        return Err(format!("a password has at most {LONGEST} characters, standard input gave more").into());
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let password =
        str::from_utf8(line).map_err(|_| "a password is text in UTF-8, standard input gave something else")?;
    Ok(SecretString::from(password))
}
