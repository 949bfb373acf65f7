//! `kuraka audit`: prints the audit log. Also writes the lines of commands that publish an edition.

use std::collections::BTreeSet;
use std::time::Duration;

use kuraka_ports::{Actor, AuditFilter, AuditLine, Email, NewAuditLine};
use kuraka_server::logs;
use kuraka_server::settings::Settings;
use serde_json::{Value, json};

use super::runtime::{Failure, block_on};
use super::store_access::{add_line, read_store};
use crate::cli::Audit;
use crate::console::{self, second};

const PAGE: u32 = 1_000;
/// A PostgreSQL line gets its id before its transaction is committed, so these many ids are read again. Below [`PAGE`].
const AGAIN: i64 = 500;
const FOLLOW_EVERY: Duration = Duration::from_millis(500);

/// The e-mail address of an account, `command: USER` or `system`.
fn actor(line: &AuditLine) -> String {
    match &line.origin.actor {
        Actor::Account => line.email.clone().unwrap_or_default(),
        Actor::Operator(email) => format!("operator: {email}"),
        Actor::Command(user) => format!("command: {user}"),
        Actor::System => "system".to_owned(),
    }
}

fn json(line: &AuditLine) -> Value {
    json!({
        "time": line.time, "action": line.action, "actor": actor(line), "address": line.origin.address,
        "agent": line.origin.agent, "account": line.account.map(|account| account.0), "email": line.email,
        "object": line.object, "before": line.before, "after": line.after, "request_id": line.origin.request_id,
    })
}

/// Columns of fixed widths, because lines that follow cannot align the earlier ones.
fn text(line: &AuditLine) -> String {
    let of = line.email.as_ref().filter(|_| line.origin.actor != Actor::Account);
    let address = line.origin.address.map(|address| address.to_string());
    let values = [("before", &line.before), ("after", &line.after), ("of", &of.cloned()), ("from", &address)];
    let values = values.into_iter().filter_map(|(name, value)| Some(format!(" {name} {}", value.as_ref()?)));
    let (time, values): (_, String) = (second(line.time), values.collect());
    format!("{time}  {:<20}  {}: {}{values}", line.action, actor(line), line.object)
}

pub(crate) fn run(arguments: &Audit, settings: &Settings) -> Result<(), Failure> {
    block_on(async {
        let store = read_store(settings).await?;
        let email = arguments.account.as_deref().map(Email::parse).transpose()?;
        let since = arguments.since.map(|day| format!("{day}T00:00:00-05:00").parse()).transpose()?;
        let (email, action) = (email.as_ref().map(Email::as_str), arguments.action.as_deref());
        let mut filter = AuditFilter { email, action, since, ..AuditFilter::default() };
        let (mut last, mut printed) = (0, BTreeSet::new());
        loop {
            let lines = store.lines(&filter, PAGE).await?;
            for line in lines.iter().filter(|line| printed.insert(line.id)) {
                console::line(&if arguments.json { json(line).to_string() } else { text(line) });
            }
            last = lines.last().map_or(last, |line| line.id.max(last));
            printed = printed.split_off(&(last - AGAIN));
            filter.after = last;
            match lines.len() < PAGE as usize {
                true if arguments.follow => {
                    filter.after = last - AGAIN;
                    tokio::time::sleep(FOLLOW_EVERY).await;
                }
                true => break,
                false => {}
            }
        }
        store.close().await;
        Ok(())
    })
}

/// Writes the line of a changed dataset. If that fails the change stays, and a server adds the line of an edition that it
/// adopts.
pub(super) fn note_dataset(settings: &Settings, action: &'static str, object: String, after: Option<String>) {
    let line = NewAuditLine { action, object, after, ..NewAuditLine::default() };
    if let Err(error) = block_on(add_line(settings, &line)) {
        console::note(&format!("warning: {} is not in the audit log: {}", line.object, logs::chain(error.as_ref())));
    }
}
