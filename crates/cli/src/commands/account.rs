//! `kuraka account`: creates, lists, changes and deletes accounts.

use std::fs::File;
use std::io::{BufRead, IsTerminal, Write, stdin};
use std::path::Path;

use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use kuraka_adapters::passwords::Passwords;
use kuraka_adapters::store::Store;
use kuraka_app::calendar;
use kuraka_app::password_rules::{self, MAX_CHARS};
use kuraka_panel::account_data;
use kuraka_ports::{
    Account as Known, AccountRole, AccountStatus, Accounts, AuditFilter, Email, PasswordHasher, PlanName,
    StoreErrorKind, Tokens,
};
use kuraka_server::settings::Settings;
use secrecy::{ExposeSecret, SecretString};
use serde::Serialize;

use super::runtime::{Failure, block_on, now};
use super::store_access::{account_of, accounts, existing_store, open_store, read_store};
use crate::cli::account::{ByEmail, Role};
use crate::cli::{Account, Form};
use crate::console::{self, second, second_or_dash};

pub(crate) fn run(command: Account, settings: &Settings) -> Result<(), Failure> {
    match command {
        Account::Create { email, plan } => block_on(create(settings, &email, &plan)),
        Account::List(form) => block_on(list(settings, form)),
        Account::Show { email, form } => block_on(show(settings, &email, form)),
        Account::SetPassword(ByEmail { email }) => block_on(set_password(settings, &email)),
        Account::SetPlan { email, plan } => block_on(set_plan(settings, &email, &plan)),
        Account::SetRole { email, role } => block_on(set_role(settings, &email, role)),
        Account::Suspend(ByEmail { email }) => block_on(set_status(settings, &email, AccountStatus::Suspended)),
        Account::Activate(ByEmail { email }) => block_on(set_status(settings, &email, AccountStatus::Active)),
        Account::Export { email, output } => block_on(export(settings, &email, output.as_deref())),
        Account::Delete { email, yes } => block_on(delete(settings, &email, yes)),
    }
}

/// An error if the settings lack the plan.
fn plan_of(settings: &Settings, name: &str) -> Result<PlanName, Failure> {
    let plan = PlanName::parse(name)?;
    if settings.plans.find(&plan).is_none() {
        let known: Vec<_> = settings.plans.all().iter().map(|plan| plan.name.to_string()).collect();
        return Err(format!("there is no plan {plan} in the settings; the plans are {}", known.join(", ")).into());
    }
    Ok(plan)
}

/// Accounts whose usage is read side by side.
const SIDE_BY_SIDE: usize = 8;

/// As `account list` and `account show` print it.
#[derive(Serialize)]
struct Record {
    id: i64,
    email: String,
    plan: String,
    role: &'static str,
    status: &'static str,
    /// Used this month; running servers' leases count as used.
    used: u64,
    /// `None` = the settings lack the plan.
    limit: Option<u64>,
    last_used: Option<Timestamp>,
    created: Timestamp,
}

const HEADING: [&str; 9] = ["ID", "EMAIL", "PLAN", "ROLE", "STATUS", "USED", "LIMIT", "LAST USED", "CREATED"];

impl Record {
    async fn load(account: Known, store: &dyn Store, settings: &Settings) -> Result<Self, Failure> {
        let tokens = Tokens::list(store, account.id).await?;
        Ok(Self {
            id: account.id.0,
            used: store.used(account.id, calendar::period(now())).await?,
            limit: settings.plans.find(&account.plan).map(|plan| plan.queries),
            last_used: tokens.iter().filter_map(|token| token.last_used).max(),
            email: account.email.as_str().to_owned(),
            plan: account.plan.to_string(),
            role: account.role.as_str(),
            status: account.status.as_str(),
            created: account.created,
        })
    }

    fn cells(&self) -> [String; 9] {
        [
            self.id.to_string(),
            self.email.clone(),
            self.plan.clone(),
            self.role.to_owned(),
            self.status.to_owned(),
            self.used.to_string(),
            self.limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string()),
            second_or_dash(self.last_used),
            second(self.created),
        ]
    }
}

async fn list(settings: &Settings, form: Form) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let records = stream::iter(accounts(&*store).await?).map(|account| Record::load(account, &*store, settings));
    let records: Vec<_> = records.buffered(SIDE_BY_SIDE).try_collect().await?;
    store.close().await;
    Ok(console::list(form, &records, HEADING, Record::cells)?)
}

async fn show(settings: &Settings, email: &str, form: Form) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let record = Record::load(account_of(&*store, email).await?, &*store, settings).await?;
    store.close().await;
    if form.json {
        return Ok(console::json(&record)?);
    }
    for (name, cell) in HEADING.into_iter().zip(record.cells()) {
        console::line(&format!("{:<11}{cell}", name.to_lowercase()));
    }
    Ok(())
}

/// Changes an account, and prints what `work` returns.
async fn change(
    settings: &Settings,
    email: &str,
    work: impl AsyncFnOnce(&dyn Store, &Known) -> Result<String, Failure>,
) -> Result<(), Failure> {
    let store = existing_store(settings).await?;
    let account = account_of(&*store, email).await?;
    let changed = work(&*store, &account).await?;
    store.close().await;
    console::note(&changed);
    Ok(())
}

async fn set_plan(settings: &Settings, email: &str, plan: &str) -> Result<(), Failure> {
    let plan = plan_of(settings, plan)?;
    change(settings, email, async |store, account| {
        store.set_plan(account.id, &plan).await?;
        Ok(format!("{} has the plan {plan}", account.email.as_str()))
    })
    .await
}

async fn set_role(settings: &Settings, email: &str, role: Role) -> Result<(), Failure> {
    let role = match role {
        Role::Operator => AccountRole::Operator,
        Role::Member => AccountRole::Member,
    };
    change(settings, email, async |store, account| {
        store.set_role(account.id, role).await?;
        Ok(format!("{} has the role {}", account.email.as_str(), role.as_str()))
    })
    .await
}

async fn set_status(settings: &Settings, email: &str, status: AccountStatus) -> Result<(), Failure> {
    let what = match status {
        AccountStatus::Active => "is active",
        AccountStatus::Suspended => "is suspended, and its sessions have ended",
        AccountStatus::Unconfirmed => "is not confirmed",
    };
    change(settings, email, async |store, account| {
        store.set_status(account.id, status).await?;
        Ok(format!("{} {what}", account.email.as_str()))
    })
    .await
}

async fn export(settings: &Settings, email: &str, output: Option<&Path>) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let email = Email::parse(email)?;
    let known = Accounts::find(&*store, &email).await?.map(|account| account.id);
    let filter = AuditFilter { email: Some(email.as_str()), newest: true, ..AuditFilter::default() };
    // Of a deleted account, its lines.
    let id = match known {
        Some(id) => id,
        None => {
            let deleted = store.lines(&filter, 1).await?.pop().and_then(|line| line.account);
            deleted.ok_or_else(|| format!("nothing is stored about {}", email.as_str()))?
        }
    };
    let data =
        account_data(store.stored_data(id).await?, usize::MAX).ok_or("a stored row cannot be written as JSON")?;
    store.close().await;
    match output {
        None => console::line(&data),
        Some(file) => {
            let created = File::create_new(file).and_then(|mut created| created.write_all(data.as_bytes()));
            created.map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
        }
    }
    Ok(())
}

async fn delete(settings: &Settings, email: &str, yes: bool) -> Result<(), Failure> {
    change(settings, email, async |store, account| {
        let email = account.email.as_str();
        if !yes && !is_confirmed(&format!("Delete {email} with its tokens, sessions and usage? [y/N] "))? {
            return Err(format!("{email} is not deleted").into());
        }
        store.delete(account.id).await?;
        Ok(format!(
            "{email} is deleted, with its tokens, sessions and usage; its lines of the audit log stay until they expire"
        ))
    })
    .await
}

/// An error without a terminal, because then no person can answer.
fn is_confirmed(question: &str) -> Result<bool, Failure> {
    if !stdin().is_terminal() {
        return Err("nothing is deleted without a terminal to ask on: give --yes".into());
    }
    console::ask(question);
    let mut answer = String::new();
    stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

async fn create(settings: &Settings, email: &str, plan: &str) -> Result<(), Failure> {
    let email = Email::parse(email)?;
    let plan = plan_of(settings, plan)?;
    let store = open_store(settings).await?;
    let account = Accounts::create(&*store, &email, &plan, None, now()).await.map_err(|error| {
        if error.kind == StoreErrorKind::Conflict {
            return Failure::from(format!("there is already an account {}", email.as_str()));
        }
        error.into()
    })?;
    store.close().await;
    let row = [account.id.to_string(), account.email.as_str().to_owned(), account.plan.to_string()];
    console::table(["ID", "EMAIL", "PLAN"], &[row]);
    Ok(())
}

async fn set_password(settings: &Settings, email: &str) -> Result<(), Failure> {
    change(settings, email, async |store, account| {
        let password = if stdin().is_terminal() { prompt_password()? } else { read_password(stdin().lock())? };
        password_rules::check(password.expose_secret(), account.email.as_str())?;
        let hash = Passwords::new().hash(password.expose_secret()).await?;
        store.set_password_hash(account.id, &hash).await?;
        Ok(format!("the password of {} is set, and its sessions have ended", account.email.as_str()))
    })
    .await
}

/// Asks for the password twice on the terminal, without echo.
fn prompt_password() -> Result<SecretString, Failure> {
    let password = SecretString::from(rpassword::prompt_password("New password: ")?);
    let again = SecretString::from(rpassword::prompt_password("The same again: ")?);
    if password.expose_secret() == again.expose_secret() {
        Ok(password)
    } else {
        Err("the two passwords differ, nothing is changed".into())
    }
}

/// The first line of standard input.
fn read_password(input: impl BufRead) -> Result<SecretString, Failure> {
    let mut bytes = Vec::new();
    // The longest password in UTF-8 with its line end, and one byte more, so that longer input is not truncated.
    let most = 4 * MAX_CHARS + 2;
    input.take(most as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.len() > most {
        return Err(format!("a password has at most {MAX_CHARS} characters, standard input gave more").into());
    }
    let line = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let password =
        str::from_utf8(line).map_err(|_| "a password is text in UTF-8, standard input gave something else")?;
    Ok(SecretString::from(password))
}
