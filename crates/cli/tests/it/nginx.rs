//! Runs nginx with the configuration of the packages, on its own ports and in its own folder.

use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command};

use tempfile::TempDir;

use crate::program::{DEADLINE, free_addresses};

/// A running nginx. Stopped when dropped.
pub(crate) struct Nginx {
    /// Where it serves the API, without TLS.
    pub(crate) address: SocketAddr,
    /// The port that redirects.
    pub(crate) plain: SocketAddr,
    child: Child,
    folder: TempDir,
}

/// The configuration in the documentation, with these replacements, each of which occurs. Framing and errors are the same
/// without TLS, so that no certificate is needed.
fn configuration(replacements: &[(&str, String)]) -> String {
    let block = include_str!("../../../../packaging/nginx/kuraka.conf");
    let kept: Vec<&str> = block.lines().filter(|line| !line.trim_start().starts_with("ssl_")).collect();
    replacements.iter().fold(kept.join("\n"), |text, (old, new)| {
        assert!(text.contains(old), "the configuration holds {old}: {text}");
        text.replace(old, new)
    })
}

impl Nginx {
    /// Starts nginx in front of a server, with one worker and a log of what it forwards.
    pub(crate) fn start(server: SocketAddr) -> Self {
        Self::start_with(server, &[])
    }

    /// Starts it with more replacements in the configuration.
    pub(crate) fn start_with(server: SocketAddr, more: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [address, plain] = free_addresses();
        let usual = [
            ("listen 443 ssl", format!("listen {address}")),
            ("listen 80", format!("listen {plain}")),
            ("127.0.0.1:8080", server.to_string()),
            ("access_log /var/log/nginx/", "access_log requests forwarded;\naccess_log ".to_owned()),
            ("error_log /var/log/nginx/", "error_log ".to_owned()),
        ];
        let more = more.iter().map(|(old, new)| (*old, (*new).to_owned()));
        let site = configuration(&usual.into_iter().chain(more).collect::<Vec<_>>());
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {name};\n"))
            .concat();
        let text = format!(
            "daemon off;\nuser root;\nworker_processes 1;\npid pid;\nerror_log errors warn;\nevents {{ worker_connections 64; }}\n\
             http {{\n{temporary}log_format forwarded '$upstream_addr $call_id';\n\
             {site}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new("nginx");
        command.arg("-e").arg("errors").arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let child = command.spawn().expect("this test needs nginx, which `make test` installs");
        let mut nginx = Self { address, plain, child, folder };
        let deadline = std::iter::repeat_with(|| TcpStream::connect_timeout(&address, DEADLINE).is_ok());
        for listens in deadline {
            if listens {
                break;
            }
            assert!(nginx.child.try_wait().unwrap().is_none(), "nginx ended: {}", nginx.file("errors"));
            std::thread::yield_now();
        }
        nginx
    }

    /// Stops nginx when it has answered everything, and returns the ids of the requests that it forwarded, in order.
    pub(crate) fn stop(&mut self) -> Vec<String> {
        assert!(self.signal("QUIT"));
        assert!(self.child.wait().unwrap().success());
        let log = self.file("requests");
        let requests = log.lines().filter_map(|line| line.split_once(' '));
        requests.filter(|(upstream, _)| *upstream != "-").map(|(_, id)| id.to_owned()).collect()
    }

    /// Sends a signal to nginx, and says whether it was sent.
    fn signal(&self, name: &str) -> bool {
        let line = format!("kill -{name} {}", self.child.id());
        Command::new("sh").arg("-c").arg(line).status().is_ok_and(|status| status.success())
    }

    /// A log, or another file in its folder.
    pub(crate) fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // A killed nginx would leave its worker behind. One that has ended is not signalled: its id may be another's.
        if matches!(self.child.try_wait(), Ok(None)) && self.signal("TERM") {
            let _ = self.child.wait();
        }
    }
}
