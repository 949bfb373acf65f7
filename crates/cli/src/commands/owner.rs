//! Whether a command that writes runs as the owner of the data folder. Files of another user would be out of reach for
//! the server.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use kuraka_adapters::store::StoreAddress;
use kuraka_server::settings::{Settings, absolute};
use rustix::fs::{Access, access};
use rustix::process::geteuid;

use super::runtime::Failure;

/// The user id of root.
const ROOT: u32 = 0;

/// Refuses a user who is not the owner of the store and of the datasets.
pub(super) fn check(settings: &Settings) -> Result<(), Failure> {
    check_store(&settings.store)?;
    check_datasets(settings)
}

/// Refuses a user who is not the owner of the datasets.
pub(super) fn check_datasets(settings: &Settings) -> Result<(), Failure> {
    check_owner(&settings.datasets_dir(), &settings.data_dir)
}

/// Refuses a user who is not the owner of a store.
pub(super) fn check_store(store: &StoreAddress) -> Result<(), Failure> {
    let StoreAddress::Sqlite(file) = store else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_owner(file, folder.unwrap_or(Path::new(".")))
}

/// The owner is the user of `inside`, which the program makes in `folder`, or of the folder as long as that is missing.
fn check_owner(inside: &Path, folder: &Path) -> Result<(), Failure> {
    let place = if inside.exists() { inside } else { folder };
    // A folder that does not exist becomes the user's.
    let Ok(found) = fs::metadata(place) else { return Ok(()) };
    let owner = found.uid();
    // A new volume of a container is root's, and the server's user may write to it.
    let is_volume = || place == folder && owner == ROOT && access(folder, Access::WRITE_OK).is_ok();
    if owner == geteuid().as_raw() || is_volume() {
        return Ok(());
    }
    let (place, name) = (absolute(place), name_of(owner));
    // Not every machine has sudo. Only root can use runuser, which takes no numbers.
    let runuser = geteuid().is_root() && !name.starts_with('\'');
    let run_as = if runuser { format!("runuser -u {name} --") } else { format!("sudo -u {name}") };
    let give = format!(", or give it to this user with chown --recursive {} {place}", geteuid().as_raw());
    // Root's folder is a mistake, or a volume of a container, which has no sudo.
    let give = if owner == ROOT { &*give } else { "" };
    Err(format!("{place} belongs to the user {name}: run this command with {run_as}{give}").into())
}

/// The name of a user, as `sudo -u` takes it.
fn name_of(user: u32) -> String {
    // Lines of name, password, user id.
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut lines = users.lines().map(|line| line.split(':'));
    let found = lines.find_map(|mut fields| {
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| format!("'#{user}'"))
}
