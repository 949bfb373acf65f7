//! Whether a command that writes runs as the data folder's owner: the server could not use another user's files.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use kuraka_adapters::store::StoreAddress;
use kuraka_server::settings::{Settings, absolute};
use rustix::fs::{Access, access};
use rustix::process::geteuid;

use super::runtime::Failure;
use super::user::name_of;

const ROOT: u32 = 0;

pub(super) fn check(settings: &Settings) -> Result<(), Failure> {
    check_store(&settings.store)?;
    check_datasets(settings)
}

pub(super) fn check_datasets(settings: &Settings) -> Result<(), Failure> {
    check_owner(&settings.datasets_dir(), &settings.data_dir)
}

pub(super) fn check_store(store: &StoreAddress) -> Result<(), Failure> {
    let StoreAddress::Sqlite(file) = store else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    check_owner(file, folder.unwrap_or(Path::new(".")))
}

/// The owner of `inside`, or of `folder` as long as that is missing.
fn check_owner(inside: &Path, folder: &Path) -> Result<(), Failure> {
    let place = if inside.exists() { inside } else { folder };
    // The user creates the folder.
    let Ok(found) = fs::metadata(place) else { return Ok(()) };
    let owner = found.uid();
    // A container's new volume is root's, and writable for the server's user.
    let is_volume = || place == folder && owner == ROOT && access(folder, Access::WRITE_OK).is_ok();
    if owner == geteuid().as_raw() || is_volume() {
        return Ok(());
    }
    let (place, name) = (absolute(place), name_of(owner));
    // Not every machine has sudo. Only root can use runuser, which takes no numbers.
    let runuser = geteuid().is_root() && !name.starts_with('\'');
    let run_as = if runuser { format!("runuser -u {name} --") } else { format!("sudo -u {name}") };
    let give = format!(", or give it to this user with chown --recursive {} {place}", geteuid().as_raw());
    // A mistake, or a container's volume; containers have no sudo.
    let give = if owner == ROOT { &*give } else { "" };
    Err(format!("{place} belongs to the user {name}: run this command with {run_as}{give}").into())
}
