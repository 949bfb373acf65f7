//! The program, run in a folder of its own.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::StoreAddress;
use kuraka_app::calendar;
use kuraka_ports::{Accounts, Clock, Email};
use tempfile::TempDir;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// How long anything that must happen may take. Far more than it takes: only a failure waits so long.
pub(crate) const DEADLINE: Duration = Duration::from_secs(30);

/// A machine on which the program is installed: a data folder, no settings file, nothing listening.
pub(crate) struct Home {
    folder: TempDir,
    variables: Vec<(String, String)>,
    /// Where the store is if it is no file.
    store: Option<StoreAddress>,
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// A server that runs. Killed when dropped.
pub(crate) struct Serving {
    pub(crate) api: SocketAddr,
    pub(crate) admin: SocketAddr,
    child: Child,
    stdout: Lines,
    stderr: Lines,
}

/// A stream of the program, line by line, as it comes.
struct Lines {
    coming: Receiver<String>,
    seen: Vec<String>,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), variables: Vec::new(), store: None }
    }

    /// The same with one more variable in the environment of every command.
    pub(crate) fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    /// The store is this PostgreSQL database.
    pub(crate) fn store(mut self, address: &str) -> Self {
        self.store = Some(StoreAddress::Postgres(address.parse().unwrap()));
        self.with("KURAKA__STORE__URL", address)
    }

    /// A plan for every account.
    pub(crate) fn plan(self, queries: u64, rate: u64) -> Self {
        self.with("KURAKA__PLANS__FREE__QUERIES", &queries.to_string())
            .with("KURAKA__PLANS__FREE__RATE", &rate.to_string())
            .with("KURAKA__PLANS__FREE__BURST", &rate.to_string())
    }

    /// A path in the folder in which commands run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A path in the data folder.
    pub(crate) fn data(&self, name: &str) -> PathBuf {
        self.path("data").join(name)
    }

    /// Writes a file and gives its path as an argument.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Finished {
        self.run_with(arguments, &[], "")
    }

    /// Runs a command to its end, with more variables and something on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Finished {
        let mut command = self.command(arguments);
        let mut child = command.envs(variables.iter().copied()).stdin(Stdio::piped()).spawn().unwrap();
        // A command that fails early does not read.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let finished =
            Finished { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
        assert!(!finished.stdout.contains('\u{1b}') && !finished.stderr.contains('\u{1b}'), "colour: {finished:?}");
        finished
    }

    /// Makes an account and a token, and gives the token.
    pub(crate) fn token(&self, email: &str) -> String {
        self.run(&["account", "create", "--email", email]).succeeded();
        self.run(&["token", "create", "--email", email, "--name", "test"]).succeeded().trim_end().to_owned()
    }

    /// Imports these bytes as a padrón and gives the edition's label.
    pub(crate) fn import(&self, padron: &[u8]) -> String {
        let file = self.write("padron_reducido_ruc.txt", padron);
        let out = self.run(&["registry", "import", "--padron", &file]).succeeded();
        out.strip_prefix("published edition ").and_then(|rest| rest.split(':').next()).unwrap().to_owned()
    }

    /// Starts the server and waits until it listens.
    pub(crate) fn serve(&self) -> Serving {
        let mut serving = self.start(&["serve"]);
        let line = serving.log("\"listening\"");
        let json: serde_json::Value = serde_json::from_str(&line).unwrap();
        let address = |field: &str| json[field].as_str().unwrap().parse().unwrap();
        (serving.api, serving.admin) = (address("api"), address("admin"));
        serving
    }

    /// Starts a command that goes on; its addresses are not known yet.
    pub(crate) fn start(&self, arguments: &[&str]) -> Serving {
        let mut child = self.command(arguments).spawn().unwrap();
        let (stdout, stderr) = (Lines::of(child.stdout.take().unwrap()), Lines::of(child.stderr.take().unwrap()));
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        Serving { api: nowhere, admin: nowhere, child, stdout, stderr }
    }

    /// Queries of this month that the ledger holds against an account.
    pub(crate) async fn used(&self, email: &str) -> u64 {
        let store = self.store.clone().unwrap_or_else(|| StoreAddress::Sqlite(self.data("kuraka.db")));
        let store = store.open().await.unwrap();
        let account = Accounts::find(&*store, &Email::parse(email).unwrap()).await.unwrap().unwrap();
        let used = store.used(account.id, calendar::period(SystemClock::start().now())).await.unwrap();
        store.close().await;
        used
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_kuraka")));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("KURAKA__DATA_DIR", self.path("data"))
            .env("KURAKA__HTTP__BIND", "127.0.0.1:0")
            .env("KURAKA__HTTP__WORKERS", "2")
            .env("KURAKA__ADMIN__BIND", "127.0.0.1:0")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

impl Finished {
    /// Checks that the command succeeded, and gives its result.
    #[track_caller]
    pub(crate) fn succeeded(self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.stdout
    }

    /// Checks that the command failed with one clear line and no result, and gives the line. Stages and warnings may
    /// have been told before.
    #[track_caller]
    pub(crate) fn failed(self) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (Some(1), ""), "{self:?}");
        let errors: Vec<&str> =
            self.stderr.lines().filter(|line| !line.ends_with(" …") && !line.contains(" WARN ")).collect();
        let [line] = errors.as_slice() else { panic!("not one line: {self:?}") };
        line.strip_prefix("error: ").unwrap_or_else(|| panic!("{self:?}")).to_owned()
    }
}

impl Serving {
    /// Waits for a line of the log that holds this.
    pub(crate) fn log(&mut self, part: &str) -> String {
        self.stderr.wait_for(part)
    }

    /// Waits for a line of the output that holds this.
    pub(crate) fn output(&mut self, part: &str) -> String {
        self.stdout.wait_for(part)
    }

    /// All of the output so far.
    pub(crate) fn outputs(&self) -> &[String] {
        &self.stdout.seen
    }

    /// Memory of the process that is in RAM.
    pub(crate) fn resident_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().trim().parse().unwrap()
    }

    /// Sends a signal: `INT`, `TERM`.
    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("sh").arg("-c").arg(format!("kill -{name} {}", self.child.id())).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end: how it ended, and all it ever said.
    pub(crate) fn ended(mut self) -> (ExitStatus, Vec<String>, Vec<String>) {
        let (stdout, stderr) = (self.stdout.rest(), self.stderr.rest());
        (self.child.wait().unwrap(), stdout, stderr)
    }

    /// Asks it to stop, and waits until it has, with success.
    #[track_caller]
    pub(crate) fn stop(self) -> Vec<String> {
        self.signal("TERM");
        let (status, _, log) = self.ended();
        assert!(status.success(), "{status}: {log:?}");
        log
    }

    /// Kills it: no time for anything.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Lines {
    fn of(stream: impl Read + Send + 'static) -> Self {
        let (sender, coming) = channel();
        thread::spawn(move || {
            let mut stream = BufReader::new(stream);
            let mut line = Vec::new();
            while stream.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
                let text = String::from_utf8(std::mem::take(&mut line)).unwrap();
                let _ = sender.send(text.trim_end().to_owned());
            }
        });
        Self { coming, seen: Vec::new() }
    }

    fn wait_for(&mut self, part: &str) -> String {
        loop {
            match self.coming.recv_timeout(DEADLINE) {
                Ok(line) => self.seen.push(line),
                Err(error) => panic!("{error} while waiting for {part}: {:#?}", self.seen),
            }
            if let Some(line) = self.seen.last().filter(|line| line.contains(part)) {
                return line.clone();
            }
        }
    }

    fn rest(&mut self) -> Vec<String> {
        loop {
            match self.coming.recv_timeout(DEADLINE) {
                Ok(line) => self.seen.push(line),
                Err(RecvTimeoutError::Disconnected) => return std::mem::take(&mut self.seen),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {:#?}", self.seen),
            }
        }
    }
}

/// Tries until it gives something; gives that, and how long it took.
pub(crate) async fn eventually<T>(what: &str, mut attempt: impl FnMut() -> Option<T>) -> (T, Duration) {
    let began = Instant::now();
    let mut beat = interval(Duration::from_millis(20));
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        beat.tick().await;
        if let Some(done) = attempt() {
            return (done, began.elapsed());
        }
        assert!(began.elapsed() < DEADLINE, "{what}: not within {DEADLINE:?}");
    }
}
