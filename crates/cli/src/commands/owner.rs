//! Whether a command that writes runs as the owner of the data folder. Files of another user would be out of reach for
//! the server.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use kuraka_adapters::store::StoreAddress;
use kuraka_server::settings::{self, Settings, absolute};
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
        use cli::{Account, Command, Dataset, Store, Token, Webhook};
        match command {
            Command::Serve | Command::Demo => Self::All,
            Command::Dataset(
                Dataset::Import(_) | Dataset::Update { .. } | Dataset::Backfill { .. } | Dataset::Rollback { .. },
            ) => Self::Datasets,
            Command::Store(Store::Migrate | Store::Check | Store::Backup { .. } | Store::Restore { .. })
            | Command::Account(
                Account::Create { .. }
                | Account::SetPassword(_)
                | Account::SetPlan { .. }
                | Account::Suspend(_)
                | Account::Activate(_)
                | Account::Delete { .. },
            )
            | Command::Token(Token::Create { .. } | Token::Revoke { .. })
            | Command::Webhook(
                Webhook::Create { .. }
                | Webhook::Test(_)
                | Webhook::Rotate(_)
                | Webhook::Pause(_)
                | Webhook::Resume(_)
                | Webhook::Delete(_),
            ) => Self::Store,
            Command::Dataset(Dataset::List(_) | Dataset::Info { .. } | Dataset::Changes { .. })
            | Command::Account(Account::List(_) | Account::Show { .. })
            | Command::Token(Token::List { .. })
            | Command::Webhook(Webhook::List { .. })
            // It names its stores itself.
            | Command::Store(Store::Copy { .. })
            | Command::Lookup(_)
            | Command::Search(_)
            | Command::Config(_)
            | Command::Doctor { .. }
            | Command::Openapi
            | Command::Explain(_)
            | Command::Healthcheck { .. }
            | Command::Sandbox { .. } => Self::Nothing,
        }
    }
}

/// Refuses a command whose user is not the owner of what it writes to. With `as_owner`, root runs the command again as the
/// owner, and this does not return.
pub(super) fn check(writes: Writes, settings: &Settings, as_owner: bool) -> Result<(), Failure> {
    let file = settings.file.as_deref();
    if matches!(writes, Writes::Store | Writes::All) {
        check_store(&settings.store, as_owner, file)?;
    }
    match writes {
        Writes::Datasets | Writes::All => check_owner(&settings.datasets_dir(), &settings.data_dir, as_owner, file),
        Writes::Nothing | Writes::Store => Ok(()),
    }
}

/// As [`check`], for a store. `settings_file` is the file that was read.
pub(super) fn check_store(store: &StoreAddress, as_owner: bool, settings_file: Option<&Path>) -> Result<(), Failure> {
    let StoreAddress::Sqlite(file) = store else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_owner(file, folder.unwrap_or(Path::new(".")), as_owner, settings_file)
}

/// The owner is the user of `inside`, which the program makes in `folder`, or of the folder as long as that is missing.
fn check_owner(inside: &Path, folder: &Path, as_owner: bool, settings_file: Option<&Path>) -> Result<(), Failure> {
    let place = if inside.exists() { inside } else { folder };
    // A folder that does not exist becomes the user's.
    let Ok(found) = fs::metadata(place) else { return Ok(()) };
    let (owner, user) = (found.uid(), geteuid().as_raw());
    // A new volume of a container is root's, and the server's user may write to it.
    let is_volume = || place == folder && owner == ROOT && access(folder, Access::WRITE_OK).is_ok();
    if owner == user || is_volume() {
        return Ok(());
    }
    if user == ROOT && as_owner {
        return Err(run_as(owner, group_of(owner).unwrap_or(found.gid()), settings_file));
    }
    let (place, name) = (absolute(place), name_of(owner));
    let or = if user == ROOT { ", or with --as-owner" } else { "" };
    Err(format!("{place} belongs to the user {name}: run this command with sudo -u {name}{or}").into())
}

/// Runs this process's command line as another user, in place of this process. Returns only if that fails.
fn run_as(user: u32, group: u32, settings_file: Option<&Path>) -> Failure {
    // Its path, unlike the program's, needs no rights on the folders above.
    let mut command = Command::new("/proc/self/exe");
    // The user may not see the file that was read, and must then not read another one.
    command.env(settings::FILE_VARIABLE, settings_file.map(absolute).unwrap_or_default());
    let failed = command.args(std::env::args_os().skip(1)).uid(user).gid(group).exec();
    format!("the command cannot run as the user {}: {failed}", name_of(user)).into()
}

/// The name of a user, as `sudo -u` takes it.
fn name_of(user: u32) -> String {
    account(user, |fields| Some(fields.first()?.clone())).unwrap_or_else(|| format!("'#{user}'"))
}

/// The group of a user.
fn group_of(user: u32) -> Option<u32> {
    account(user, |fields| fields.get(3)?.parse().ok())
}

/// What `read` makes of a user's line in the table of users: name, password, user id, group id.
fn account<T>(user: u32, read: impl Fn(&[String]) -> Option<T>) -> Option<T> {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    users.lines().find_map(|line| {
        let fields: Vec<_> = line.split(':').map(str::to_owned).collect();
        if fields.get(2)?.parse() == Ok(user) { read(&fields) } else { None }
    })
}
