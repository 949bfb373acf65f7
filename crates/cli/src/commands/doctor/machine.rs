//! Folders, disk space, open files and ports of this machine.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kuraka_adapters::download::USER_AGENT;
use kuraka_adapters::http::{ClientLimits, client};
use kuraka_adapters::store::{StoreAddress, StoreLock};
use kuraka_connections::connections_in_file_limit;
use kuraka_server::settings::{Settings, absolute};
use rustix::fs::{Access, access, statvfs};
use rustix::process::{Uid, geteuid};
use serde::Deserialize;

use super::finding::Finding;
use crate::commands::runtime::Failure;

/// For the downloads and the next edition of every dataset.
const SPACE: u64 = 2_000_000_000;
/// A full disk.
const NO_SPACE: u64 = 50_000_000;
/// Connections of the admin listener.
const ADMIN_CONNECTIONS: usize = 256;
/// For the running server.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);

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
    findings.push(check_ports(&refused, ready, is_served(settings)));
    findings
}

/// Whether all files have the folder's owner, and this user may write.
fn check_folder(folder: &Path) -> Finding {
    let (check, shown) = ("data folder", absolute(folder));
    let Ok(found) = fs::metadata(folder) else {
        let advice = "nothing, if this is a new server, which makes it; else correct data_dir";
        return Finding::warning(check, format!("{shown} does not exist"), advice);
    };
    if access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err() {
        return Finding::error(check, format!("{shown} cannot be written to"), "give the server's user rights on it");
    }
    // A container's volume is root's, its files are the server user's.
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

/// A file in the folder that does not belong to `owner`.
fn foreign(folder: &Path, owner: u32) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let found = match entry.metadata() {
            // A server may remove files meanwhile.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found?,
        };
        // The file system's own folder at a volume's top.
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

fn check_space(free: u64, least: u64) -> Finding {
    let detail = format!("{:.1} GB are free", free as f64 / 1e9);
    if free < NO_SPACE {
        return Finding::error("disk space", detail, "free 2 GB: without space the store takes no writes");
    }
    if free < least {
        return Finding::warning("disk space", detail, "free 2 GB: else the next import is refused");
    }
    Finding::good("disk space", detail)
}

fn check_files(wanted: usize, allowed: usize) -> Finding {
    if allowed < wanted {
        let detail = format!("this user's limit of open files allows {allowed} of {wanted} connections");
        return Finding::warning("open files", detail, "raise LimitNOFILE= of the service, or ulimit -n");
    }
    Finding::good("open files", format!("the limit allows {wanted} connections"))
}

/// `refused`: addresses in use; `ready`: the admin listener's answer; `is_served`: whether a server has this data
/// folder.
fn check_ports(
    refused: &[(&str, SocketAddr, io::Error)],
    ready: Option<Result<(), String>>,
    is_served: Option<bool>,
) -> Finding {
    let is_used = |error: &io::Error| error.kind() == ErrorKind::AddrInUse;
    let Some((key, address, error)) = refused.iter().find(|(.., error)| !is_used(error)).or(refused.first()) else {
        return Finding::good("ports", "free: no server is running");
    };
    let detail = format!("cannot listen on {key} {address}: {error}");
    match (ready, is_served) {
        _ if error.kind() == ErrorKind::PermissionDenied => Finding::error(
            "ports",
            detail,
            "set a port above 1023, behind a proxy, or give the service CAP_NET_BIND_SERVICE",
        ),
        _ if !is_used(error) => Finding::error("ports", detail, "set an address of this machine"),
        (Some(_), Some(false)) => {
            let detail = format!("a server of another data folder listens on {key} {address}");
            Finding::error("ports", detail, "stop it, or set another address")
        }
        (Some(Ok(())), _) => Finding::good("ports", "a server is running and ready"),
        (Some(Err(reason)), _) => {
            let detail = format!("a server is running and not ready: {reason}");
            Finding::warning("ports", detail, "wait if it has just started; the runbook has each reason")
        }
        (None, Some(true)) => {
            let detail = "a server is running and does not answer at admin.bind";
            Finding::error("ports", detail, "restart it if its settings are these, and report it")
        }
        (None, _) => Finding::error("ports", detail, "end the other program, or set another address"),
    }
}

/// Whether a server has the data folder; `None` = no lock, because the store is PostgreSQL or no server has started.
fn is_served(settings: &Settings) -> Option<bool> {
    let is_locked = matches!(settings.store, StoreAddress::Sqlite(_)) && settings.data_dir.join("serve.lock").exists();
    is_locked.then(|| StoreLock::acquire(&settings.data_dir).is_err())
}

/// `/readyz` of an unready server.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Readiness {
    draining: bool,
    store: String,
    stalled_jobs: Vec<String>,
    datasets: Vec<DatasetState>,
}

#[derive(Deserialize)]
struct DatasetState {
    name: String,
    state: String,
}

impl Readiness {
    fn reasons(self) -> String {
        let stopping = self.draining.then(|| "it is stopping".to_owned());
        let store = (self.store != "reachable").then(|| format!("store: {}", self.store));
        let jobs = self.stalled_jobs.into_iter().map(|job| format!("the job {job} has stalled"));
        let is_missing = |it: &DatasetState| !matches!(&*it.state, "loaded" | "fallback" | "not enabled");
        let datasets = self.datasets.into_iter().filter(is_missing);
        let datasets = datasets.map(|DatasetState { name, state }| format!("{name} is {state}"));
        stopping.into_iter().chain(store).chain(jobs).chain(datasets).collect::<Vec<_>>().join(", ")
    }
}

/// Whether the server is ready, or why not; `None` = none answers.
async fn readiness(admin: SocketAddr) -> Option<Result<(), String>> {
    match ask(admin, "/readyz").await.ok()? {
        (200, _) => Some(Ok(())),
        (503, body) => Some(Err(serde_json::from_str::<Readiness>(&body).unwrap_or_default().reasons())),
        _ => None,
    }
}

/// The status and the body with which a server's admin listener answers.
pub(super) async fn ask(admin: SocketAddr, path: &str) -> Result<(u16, String), Failure> {
    let limits = ClientLimits { connect: ANSWERS_WITHIN, read: ANSWERS_WITHIN, total: ANSWERS_WITHIN };
    let answer = client(USER_AGENT, limits)?.get(format!("http://{admin}{path}")).send().await?;
    Ok((answer.status().as_u16(), answer.text().await?))
}

#[cfg(test)]
mod tests {
    use super::super::finding::Severity::{Error, Good, Warning};
    use super::*;

    #[test]
    fn little_space_is_a_warning() {
        assert_eq!(check_space(SPACE, SPACE).severity, Good);
        assert_eq!(check_space(SPACE - 1, SPACE).severity, Warning);
        assert_eq!(check_space(NO_SPACE - 1, SPACE).severity, Error);
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
        let is_not = || Some(Err("the store is out of reach".to_owned()));
        assert_eq!(check_ports(&[], None, None).severity, Good);
        assert_eq!(check_ports(&used(), Some(Ok(())), None).severity, Good);
        assert_eq!(check_ports(&used(), is_not(), Some(true)).severity, Warning);
        assert!(check_ports(&used(), is_not(), None).detail.ends_with("not ready: the store is out of reach"));
        for (refused, ready, is_served, part) in [
            (used(), None, None, "end the other program"),
            (used(), None, Some(false), "end the other program"),
            (used(), None, Some(true), "restart it"),
            (used(), Some(Ok(())), Some(false), "stop it"),
            (denied(), Some(Ok(())), None, "CAP_NET_BIND_SERVICE"),
            ([("http.bind", used()[0].1, io::Error::from(ErrorKind::AddrNotAvailable))], None, None, "of this machine"),
        ] {
            let found = check_ports(&refused, ready, is_served);
            assert!(found.severity == Error && found.advice.is_some_and(|it| it.contains(part)), "{part}: {found:?}");
        }
    }

    #[test]
    fn the_reasons_of_a_server_that_is_not_ready_are_named() {
        let body = r#"{"ready":false,"draining":true,"store":"takes no writes","stalled_jobs":["watch_store"],
            "datasets":[{"name":"padron","state":"unusable"},{"name":"ssco","state":"loaded"}]}"#;
        let reasons = serde_json::from_str::<Readiness>(body).unwrap().reasons();
        assert_eq!(
            reasons,
            "it is stopping, store: takes no writes, the job watch_store has stalled, padron is unusable"
        );
    }
}
