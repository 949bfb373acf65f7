//! Runs nginx with the configuration that the documentation gives, on its own port and in its own folder.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command};

use tempfile::TempDir;

use crate::program::DEADLINE;

/// A running nginx. Killed when dropped.
pub(super) struct Nginx {
    pub(super) address: SocketAddr,
    child: Child,
    folder: TempDir,
}

/// The configuration in the documentation, for this port and this server. The framing of requests is the same without
/// TLS, so that no certificate is needed.
fn configuration(address: SocketAddr, server: SocketAddr) -> String {
    let guide = include_str!("../../../../../docs/guides/go-live.md");
    let (_, block) = guide.split_once("```nginx\n").unwrap();
    let (block, _) = block.split_once("```\n").unwrap();
    assert!(block.contains("listen 443 ssl;") && block.contains("127.0.0.1:8080"), "{block}");
    let kept: Vec<&str> = block.lines().filter(|line| !line.trim_start().starts_with("ssl_")).collect();
    kept.join("\n").replace("443 ssl", &address.to_string()).replace("127.0.0.1:8080", &server.to_string())
}

impl Nginx {
    /// Starts the program in front of a server, with one worker and a log of what it forwards.
    pub(super) fn start(program: &str, server: SocketAddr) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let site = configuration(address, server);
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {name};\n"))
            .concat();
        let text = format!(
            "daemon off;\nuser root;\nworker_processes 1;\npid pid;\nerror_log errors warn;\nevents {{ worker_connections 64; }}\n\
             http {{\n{temporary}log_format forwarded '$upstream_addr $request_id';\naccess_log requests forwarded;\n\
             {site}\n}}\n"
        );
        let file = folder.path().join("nginx.conf");
        std::fs::write(&file, text).unwrap();
        let mut command = Command::new(program);
        command.arg("-e").arg("errors").arg("-p").arg(folder.path()).arg("-c").arg(&file);
        let mut nginx = Self { address, child: command.spawn().unwrap(), folder };
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
    pub(super) fn stop(mut self) -> Vec<String> {
        let stopped = Command::new("sh").arg("-c").arg(format!("kill -QUIT {}", self.child.id())).status().unwrap();
        assert!(stopped.success());
        assert!(self.child.wait().unwrap().success());
        let log = self.file("requests");
        let requests = log.lines().filter_map(|line| line.split_once(' '));
        requests.filter(|(upstream, _)| *upstream != "-").map(|(_, id)| id.to_owned()).collect()
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(name)).unwrap_or_default()
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
