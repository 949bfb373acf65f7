//! Folders, disk space, open files and ports of this machine.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kuraka_adapters::download::USER_AGENT;
use kuraka_adapters::http::{ClientLimits, client};
use kuraka_connections::connections_in_file_limit;
use kuraka_server::settings::{Settings, absolute};
use rustix::fs::{Access, access, statvfs};
use rustix::process::{Uid, geteuid};

use super::finding::Finding;

/// Space for the downloads and the next edition of every dataset.
const SPACE: u64 = 2_000_000_000;
/// Connections of the admin listener.
const ADMIN_CONNECTIONS: usize = 256;
/// How long the running server may take to say whether it is ready.
const READY_WITHIN: Duration = Duration::from_secs(3);

pub(super) async fn check(settings: &Settings) -> Vec<Finding> {
    let folder = &settings.data_dir;
    let most = settings.connections.max_connections + ADMIN_CONNECTIONS;
    let mut findings = vec![check_folder(folder), check_files(most, connections_in_file_limit())];
    let existing = folder.ancestors().find(|path| path.is_dir()).unwrap_or(Path::new("."));
    if let Ok(found) = statvfs(existing) {
        findings.push(check_space(found.f_bavail.saturating_mul(found.f_frsize), SPACE));
    }
    let bound = [("http.bind", settings.http.bind), ("admin.bind", settings.admin_bind)];
    let refused = bound.iter().filter_map(|(key, address)| Some((*key, *address, TcpListener::bind(address).err()?)));
    let refused: Vec<_> = refused.collect();
    let ready = if refused.is_empty() { None } else { readiness(settings.admin_bind).await };
    findings.push(check_ports(&refused, ready));
    findings
}

/// Whether all files belong to the owner of the folder, and this user may write there.
fn check_folder(folder: &Path) -> Finding {
    let (check, shown) = ("data folder", absolute(folder));
    let Ok(found) = fs::metadata(folder) else {
        let advice = "nothing, if this is a new server, which makes it; else correct data_dir";
        return Finding::warning(check, format!("{shown} does not exist"), advice);
    };
    if access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Finding::error(check, format!("{shown} cannot be written to"), "give the server's user rights on it");
    }
    // A volume of a container is root's, and its files belong to the server's user.
    let user = geteuid();
    let owner = if found.uid() == Uid::ROOT.as_raw() && !user.is_root() { user.as_raw() } else { found.uid() };
    match foreign(folder, owner) {
        Ok(None) => Finding::good(check, format!("{shown} can be written to")),
        Ok(Some(file)) => {
            let detail = format!("{} belongs to another user than {shown}", file.display());
            Finding::error(check, detail, "give all files to the owner of the folder, with chown --recursive")
        }
        Err(error) => Finding::error(check, format!("{shown}: {error}"), "run it as the owner of the folder"),
    }
}

/// A file in a folder or below that does not belong to `owner`.
fn foreign(folder: &Path, owner: u32) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = match entry.metadata() {
            // A server removes files meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found?,
        };
        // The file system's own folder at the top of a volume.
        if found.uid() == Uid::ROOT.as_raw() && entry.file_name() == "lost+found" {
            continue;
        }
        if found.uid() != owner {
            return Ok(Some(entry.path()));
        }
        if found.is_dir()
            && let Some(below) = foreign(&entry.path(), owner)?
        {
            return Ok(Some(below));
        }
    }
    Ok(None)
}

/// Compares free bytes with the least.
fn check_space(free: u64, least: u64) -> Finding {
    let detail = format!("{:.1} GB are free", free as f64 / 1e9);
    if free < least {
        return Finding::warning("disk space", detail, "free 2 GB: else the next import is refused");
    }
    Finding::good("disk space", detail)
}

/// Compares the connections of the settings with those that the limit of open files allows.
fn check_files(wanted: usize, allowed: usize) -> Finding {
    if allowed < wanted {
        let detail = format!("this user's limit of open files allows {allowed} of {wanted} connections");
        return Finding::warning("open files", detail, "raise LimitNOFILE= of the service, or ulimit -n");
    }
    Finding::good("open files", format!("the limit allows {wanted} connections"))
}

/// `refused`: the addresses that cannot be listened on. `ready`: the status of `/readyz` at the admin listener.
fn check_ports(refused: &[(&str, SocketAddr, io::Error)], ready: Option<u16>) -> Finding {
    let is_used = |error: &io::Error| error.kind() == ErrorKind::AddrInUse;
    match (refused, ready) {
        ([], _) => Finding::good("ports", "free: no server is running"),
        (_, Some(200)) if refused.iter().all(|(.., error)| is_used(error)) => {
            Finding::good("ports", "a server is running and ready")
        }
        (_, Some(503)) if refused.iter().all(|(.., error)| is_used(error)) => {
            Finding::warning("ports", "a server is running and not ready", "see /readyz at admin.bind for the reason")
        }
        ([(key, address, error), ..], _) => {
            let detail = format!("cannot listen on {key} {address}: {error}");
            Finding::error("ports", detail, "end the other program, or set another address")
        }
    }
}

/// The status of `/readyz`; `None` = no server answers there.
async fn readiness(admin: SocketAddr) -> Option<u16> {
    let limits = ClientLimits { connect: READY_WITHIN, read: READY_WITHIN, total: READY_WITHIN };
    let asked = client(USER_AGENT, limits).ok()?.get(format!("http://{admin}/readyz")).send().await;
    Some(asked.ok()?.status().as_u16())
}

#[cfg(test)]
mod tests {
    use super::super::finding::Severity::{Error, Good, Warning};
    use super::*;

    #[test]
    fn little_space_is_a_warning() {
        assert_eq!(check_space(SPACE, SPACE).severity, Good);
        assert_eq!(check_space(SPACE - 1, SPACE).severity, Warning);
    }

    #[test]
    fn a_low_limit_of_open_files_is_a_warning() {
        assert_eq!(check_files(10_256, 10_256).severity, Good);
        assert_eq!(check_files(10_256, 682).severity, Warning);
    }

    #[test]
    fn a_folder_that_is_missing_or_has_files_of_another_user_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(check_folder(&folder.path().join("none")).severity, Warning);
        fs::create_dir(folder.path().join("registry")).unwrap();
        fs::write(folder.path().join("registry/file"), "").unwrap();
        assert_eq!(check_folder(folder.path()).severity, Good);
        let owner = fs::metadata(folder.path()).unwrap().uid();
        assert_eq!(foreign(folder.path(), owner).unwrap(), None);
        assert_eq!(foreign(folder.path(), owner + 1).unwrap(), Some(folder.path().join("registry")));
    }

    #[test]
    fn an_occupied_port_is_good_only_if_a_ready_server_has_it() {
        let used = || [("http.bind", SocketAddr::from(([127, 0, 0, 1], 80)), io::Error::from(ErrorKind::AddrInUse))];
        let denied = || [("http.bind", used()[0].1, io::Error::from(ErrorKind::PermissionDenied))];
        assert_eq!(check_ports(&[], None).severity, Good);
        assert_eq!(check_ports(&used(), Some(200)).severity, Good);
        assert_eq!(check_ports(&used(), Some(503)).severity, Warning);
        assert_eq!(check_ports(&used(), None).severity, Error);
        assert_eq!(check_ports(&denied(), Some(200)).severity, Error);
    }
}
