//! Names of the operating system's users.

use std::{env, fs};

use rustix::process::geteuid;

/// The user who runs this command, also behind sudo, for the audit log.
pub(super) fn user() -> String {
    // Not a setting: sudo sets it.
    let behind = env::var_os("SUDO_USER").and_then(|user| user.into_string().ok());
    behind.unwrap_or_else(|| name_of(geteuid().as_raw()))
}

/// As `sudo -u` takes it.
pub(super) fn name_of(user: u32) -> String {
    // Lines of name, password, user id.
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let mut lines = users.lines().map(|line| line.split(':'));
    let found = lines.find_map(|mut fields| {
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    });
    found.unwrap_or_else(|| format!("'#{user}'"))
}
