//! Whether a command that writes runs as the owner of the data folder. Files of another user would be out of reach for
//! the server.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use kuraka_adapters::store::StoreAddress;
use kuraka_server::settings::{Settings, absolute};
use rustix::fs::{Access, access};
use rustix::process::geteuid;

use super::runtime::Failure;
use crate::cli;

/// The user id of root.
const ROOT: u32 = 0;

/// What a command writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Writes {
    Nothing,
    Store,
    Datasets,
    All,
}

impl Writes {
    /// What `command` writes.
    pub(super) const fn of(command: &cli::Command) -> Self {
        use cli::{Account, Command, Dataset, Store, Token};
        match command {
            Command::Serve | Command::Demo => Self::All,
            Command::Dataset(Dataset::Import(_) | Dataset::Update { .. } | Dataset::Rollback { .. }) => Self::Datasets,
            Command::Store(Store::Migrate | Store::Check)
            | Command::Account(
                Account::Create { .. }
                | Account::SetPassword(_)
                | Account::SetPlan { .. }
                | Account::Suspend(_)
                | Account::Activate(_)
                | Account::Delete { .. },
            )
            | Command::Token(Token::Create { .. } | Token::Revoke { .. }) => Self::Store,
            Command::Dataset(Dataset::List(_) | Dataset::Info { .. } | Dataset::Changes { .. })
            | Command::Account(Account::List(_) | Account::Show { .. })
            | Command::Token(Token::List { .. })
            // It names its stores itself.
            | Command::Store(Store::Copy { .. })
            | Command::Lookup { .. }
            | Command::Config(_)
            | Command::Openapi
            | Command::Explain(_)
            | Command::Sandbox { .. } => Self::Nothing,
        }
    }
}

/// Refuses a command whose user is not the owner of the folder that it writes to. With `as_owner`, root runs the command
/// again as the owner, and this does not return.
pub(super) fn check(writes: Writes, settings: &Settings, as_owner: bool) -> Result<(), Failure> {
    if matches!(writes, Writes::Store | Writes::All) {
        check_store(&settings.store, as_owner)?;
    }
    if matches!(writes, Writes::Datasets | Writes::All) { check_folder(&settings.data_dir, as_owner) } else { Ok(()) }
}

/// As [`check`], for a store.
pub(super) fn check_store(store: &StoreAddress, as_owner: bool) -> Result<(), Failure> {
    let StoreAddress::Sqlite(file) = store else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_folder(folder.unwrap_or(Path::new(".")), as_owner)
}

fn check_folder(folder: &Path, as_owner: bool) -> Result<(), Failure> {
    // A folder that does not exist becomes the user's.
    let Ok(found) = fs::metadata(folder) else { return Ok(()) };
    let (owner, user) = (found.uid(), geteuid().as_raw());
    // Root gives a container's volume to a group instead of the user.
    let is_shared = || owner == ROOT && access(folder, Access::WRITE_OK).is_ok();
    if owner == user || is_shared() {
        return Ok(());
    }
    if user == ROOT && as_owner {
        return Err(run_as(owner, found.gid()));
    }
    let (place, name) = (absolute(folder), name_of(owner));
    let or = if user == ROOT { ", or with --as-owner" } else { "" };
    Err(format!("{place} belongs to the user {name}: run this command with sudo -u {name}{or}").into())
}

/// Runs this process's command line as another user, in place of this process. Returns only if that fails.
fn run_as(user: u32, group: u32) -> Failure {
    // Its path, unlike the program's, needs no rights on the folders above.
    let program = "/proc/self/exe";
    let failed = Command::new(program).args(std::env::args_os().skip(1)).uid(user).gid(group).exec();
    format!("the command cannot run as the user {}: {failed}", name_of(user)).into()
}

/// The name of a user, as `sudo -u` takes it.
fn name_of(user: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    });
    name.unwrap_or_else(|| format!("'#{user}'"))
}
