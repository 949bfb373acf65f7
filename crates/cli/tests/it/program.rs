//! Runs the program in its own folder.

use std::io::Write;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::StoreAddress;
use kuraka_app::calendar;
use kuraka_ports::{Accounts, Clock, Email};
use tempfile::TempDir;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::http::is_ready;
use super::lines::Lines;
use super::test_times;

/// Time limit of every wait. It is generous, because only a failing test waits this long.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A folder to run the program in, without a settings file.
pub(crate) struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
    /// The store if it is not the default file.
    store: Option<StoreAddress>,
    /// A program that runs every command, with its arguments.
    pub(super) launcher: Vec<String>,
    /// The command line of the server.
    server: Vec<String>,
}

/// A finished command.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A running server. Killed when dropped.
pub(crate) struct Serving {
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    child: Child,
    stdout: Lines,
    stderr: Lines,
}

impl Home {
    pub(crate) fn new() -> Self {
        let server = [env!("CARGO_BIN_EXE_kuraka"), "serve"].map(str::to_owned).to_vec();
        Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new(), store: None, launcher: Vec::new(), server }
    }

    /// Sets an environment variable for every command.
    pub(crate) fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// Runs every command through this program, with the command as its last arguments.
    pub(crate) fn through<T: Into<String>>(mut self, launcher: impl IntoIterator<Item = T>) -> Self {
        self.launcher = launcher.into_iter().map(Into::into).collect();
        self
    }

    /// Serves with a set of the times of `test_times`.
    pub(crate) fn test_times(mut self, set: &str) -> Self {
        self.server = test_times::server();
        self.with(test_times::VARIABLE, set)
    }

    /// Uses this PostgreSQL database as the store.
    pub(crate) fn store(mut self, address: &str) -> Self {
        self.store = Some(StoreAddress::Postgres(address.parse().unwrap()));
        self.with("KURAKA__STORE__URL", address)
    }

    /// Limits the number of files that the program may open.
    pub(crate) fn files(mut self, most: u32) -> Self {
        self.launcher.extend(["sh", "-c", &format!("ulimit -n {most} && exec \"$0\" \"$@\"")].map(str::to_owned));
        self
    }

    /// Sets the limits of the plan `free`.
    pub(crate) fn plan(self, queries: u64, rate: u64) -> Self {
        self.named_plan("FREE", queries, rate)
    }

    /// Sets the limits of a plan.
    pub(crate) fn named_plan(self, name: &str, queries: u64, rate: u64) -> Self {
        let limits = [("QUERIES", queries), ("RATE", rate), ("BURST", rate)].into_iter();
        limits.fold(self, |home, (field, limit)| {
            home.with(&format!("KURAKA__PLANS__{name}__{field}"), &limit.to_string())
        })
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A path in the data folder.
    pub(crate) fn data(&self, name: &str) -> PathBuf {
        self.path("data").join(name)
    }

    /// Writes a file and returns its path as text.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.run_with(arguments, &[], "")
    }

    /// Runs a command to its end, with more environment variables and this standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Finished {
        let mut command = self.command(arguments);
        let mut child = command.envs(variables.iter().copied()).stdin(Stdio::piped()).spawn().unwrap();
        // A command that fails early does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let finished =
            Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!finished.stdout.contains('\u{1b}') && !finished.stderr.contains('\u{1b}'), "colour: {finished:?}");
        finished
    }

    /// Creates an account and a token, and returns the token.
    pub(crate) fn token(&self, email: &str) -> String {
        self.run(&["account", "create", "--email", email]).succeeded();
        self.run(&["token", "create", "--email", email, "--name", "test"]).succeeded().trim_end().to_owned()
    }

    /// Starts the server and waits until it listens.
    pub(crate) fn serve(&self) -> Serving {
        let mut serving = Serving::spawn(&mut self.serve_command());
        let line = serving.log("\"listening\"");
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        let address = |field: &str| json[field].as_str().unwrap().parse().unwrap();
        (serving.api, serving.admin) = (address("api"), address("admin"));
        serving
    }

    /// Starts a command that keeps running. Its addresses are not known yet.
    pub(crate) fn start(&self, arguments: &[&str]) -> Serving {
        Serving::spawn(&mut self.command(arguments))
    }

    /// Starts the server with this standard error, which the test may read. Waits until the server is ready.
    pub(crate) async fn serve_with_log(&self, log: impl Into<Stdio>) -> Serving {
        let (mut command, [api, admin]) = (self.serve_command(), free_addresses());
        command.env("KURAKA__HTTP__BIND", api.to_string()).env("KURAKA__ADMIN__BIND", admin.to_string()).stderr(log);
        let mut child = command.spawn().unwrap();
        // The command holds the log too: a pipe is closed when the server's is.
        drop(command);
        let (stdout, stderr) = (Lines::new(child.stdout.take().unwrap()), Lines::new(std::io::empty()));
        let serving = Serving { api, admin, child, stdout, stderr };
        eventually("the server is ready", || is_ready(admin).then_some(())).await;
        serving
    }

    /// The queries of this month that the ledger has charged to an account.
    pub(crate) async fn used(&self, email: &str) -> u64 {
        used_in(&self.store_address(), email).await
    }

    pub(crate) fn store_address(&self) -> StoreAddress {
        self.store.clone().unwrap_or_else(|| StoreAddress::Sqlite(self.data("kuraka.db")))
    }

    /// A command with its settings, which may be given another input and output.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_line(&[&[env!("CARGO_BIN_EXE_kuraka")], arguments].concat())
    }

    fn serve_command(&self) -> Command {
        self.command_line(&self.server.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn command_line(&self, line: &[&str]) -> Command {
        let line: Vec<&str> = self.launcher.iter().map(String::as_str).chain(line.iter().copied()).collect();
        let mut command = Command::new(line[0]);
        command
            .args(&line[1..])
            .current_dir(self.folder.path())
            .env_clear()
            .env("KURAKA_CONFIG", "")
            .env("KURAKA__DATA_DIR", self.path("data"))
            .env("KURAKA__HTTP__BIND", "127.0.0.1:0")
            .env("KURAKA__HTTP__WORKERS", "2")
            .env("KURAKA__ADMIN__BIND", "127.0.0.1:0")
            .env("KURAKA__DATASETS__UPDATE_EVERY", "off")
            // No test asks the sources of the exchange rate.
            .env("KURAKA__DATASETS__TIPO_DE_CAMBIO__URL", "")
            .env("KURAKA__DATASETS__TIPO_DE_CAMBIO__SERIES_URL", "")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

impl Finished {
    /// Checks that the command succeeded, and returns its standard output.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// Checks that the command failed with one error line and no result, and returns the line. Progress, warnings and
    /// the note about a new store may precede it.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (Some(1), ""), "{self:?}");
        let is_note =
            |line: &&str| line.ends_with(" …") || line.contains(" WARN ") || line.starts_with("created the new store ");
        let errors: Vec<&str> = self.stderr.lines().filter(|line| !is_note(line)).collect();
        let [line] = errors.as_slice() else { panic!("not one line: {self:?}") };
        line.strip_prefix("error: ").unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

impl Serving {
    /// Starts a process. Its addresses are not known yet.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (stdout, stderr) = (Lines::new(child.stdout.take().unwrap()), Lines::new(child.stderr.take().unwrap()));
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Self { api: nowhere, admin: nowhere, child, stdout, stderr }
    }

    /// Waits for a log line that contains `part`.
    pub(crate) fn log(&mut self, part: &str) -> String {
        self.stderr.wait_for(part)
    }

    /// Waits for an output line that contains `part`.
    pub(crate) fn output(&mut self, part: &str) -> String {
        self.stdout.wait_for(part)
    }

    /// All output lines so far.
    pub(crate) fn outputs(&self) -> &[String] {
        &self.stdout.seen
    }

    /// All log lines that were waited for or came before one of these.
    pub(crate) fn logs(&self) -> &[String] {
        &self.stderr.seen
    }

    /// The resident memory of the process.
    pub(crate) fn resident_kib(&self) -> u64 {
        self.status_of("VmRSS:")
    }

    /// The memory of the process that no file backs. The system does not take it back.
    pub(crate) fn anonymous_kib(&self) -> u64 {
        self.status_of("RssAnon:")
    }

    /// The threads of the process.
    pub(crate) fn threads(&self) -> u64 {
        self.status_of("Threads:")
    }

    /// The open files and sockets of the process.
    pub(crate) fn handles(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).unwrap().count()
    }

    /// A number of the process's status.
    fn status_of(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let value = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        value.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `INT` or `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", self.child.id())).status().unwrap();
        assert!(sent.success());
    }

    /// Whether the process has not ended.
    pub(crate) fn runs(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until the process ends. Returns its status, output lines and log lines.
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>, Vec<String>) {
        let (stdout, stderr) = (self.stdout.rest(), self.stderr.rest());
        (self.child.wait().unwrap(), stdout, stderr)
    }

    /// Stops the server, checks that it succeeded, and returns its log lines.
    #[track_caller]
    pub(crate) fn stop(self) -> Vec<String> {
        self.signal("TERM");
        let (status, _, log) = self.ended();
        assert!(status.success(), "{status}: {log:?}");
        log
    }

    /// Kills the process with SIGKILL after this time, or when it ends by itself. Returns whether it was killed.
    pub(crate) fn kill_after(mut self, time: Duration) -> bool {
        self.stderr.wait_for_end(time);
        self.child.kill().unwrap();
        self.child.wait().unwrap().code().is_none()
    }

    /// Kills the process with SIGKILL.
    pub(crate) fn kill(self) {
        drop(self);
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The queries of this month that a store's ledger has charged to an account.
pub(crate) async fn used_in(address: &StoreAddress, email: &str) -> u64 {
    let store = address.open().await.unwrap();
    let account = Accounts::find(&*store, &Email::parse(email).unwrap()).await.unwrap().unwrap();
    let used = store.used(account.id, calendar::period(SystemClock::start().now())).await.unwrap();
    store.close().await;
    used
}

/// Two addresses that were free just now.
pub(crate) fn free_addresses() -> [SocketAddr; 2] {
    [(); 2].map(|()| TcpListener::bind(("127.0.0.1", 0)).unwrap()).map(|listener| listener.local_addr().unwrap())
}

/// Repeats `attempt` until it returns a value. Returns the value and the time it took.
pub(crate) async fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> (T, Duration) {
    let began = Instant::now();
    let mut ticks = interval(Duration::from_millis(20));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Some(done) = attempt() {
            return (done, began.elapsed());
        }
        assert!(began.elapsed() < DEADLINE, "{what}: not within {DEADLINE:?}");
    }
}

pub(crate) async fn pass(time: Duration) {
    timeout(time, std::future::pending::<()>()).await.unwrap_err();
}

/// Today in Peru, as options take it.
pub(crate) fn today() -> String {
    calendar::today(SystemClock::start().now()).to_string()
}
