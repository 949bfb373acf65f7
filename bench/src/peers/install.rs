//! Installs the peers of `bench/peers` into the scratch folder, and runs their two programs: one imports the padrón into
//! SQLite, the other serves.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::padron::Padron;
use crate::program::{self, Beside, Ran};
use crate::{Bench, Failure};

type Install = fn(&Bench) -> Result<Peer, Failure>;

/// Each peer with the function that installs it.
pub const PEERS: [(&str, Install); 3] =
    [("FastAPI, uvicorn, SQLite", fastapi), ("Fastify, better-sqlite3", fastify), ("Go net/http, go-sqlite3", go)];

const SOURCES: &str = "bench/peers";

/// A peer that is installed.
pub struct Peer {
    pub address: &'static str,
    /// The versions of the language and of the libraries.
    pub version: String,
    /// Its folder in the scratch folder.
    folder: PathBuf,
    /// The program that imports; the arguments of [`Peer::load`] follow.
    load: Vec<OsString>,
    serve: Vec<OsString>,
}

impl Peer {
    pub fn database(&self) -> PathBuf {
        self.folder.join("padron.db")
    }

    /// Imports the padrón, already unpacked, and makes a token that the server accepts.
    pub fn load(&self, padron: &Padron, token: &str) -> Result<Ran, Failure> {
        super::remove_database(&self.database());
        let mut command = command(&self.load)?;
        command.arg(source("schema.sql")?).args([&padron.text, &padron.withholding, &padron.good_taxpayers]);
        program::run(command.arg(self.database()).arg(token))
    }

    /// Starts the server on core 0.
    pub fn start(&self) -> Result<Beside, Failure> {
        let pinned: Vec<OsString> =
            ["taskset", "-c", "0"].map(OsString::from).into_iter().chain(self.serve.clone()).collect();
        let mut command = command(&pinned)?;
        command.env("DATABASE", self.database()).env("DEPARTMENTS", source("departments.json")?);
        command.env("ADDRESS", self.address).env("NODE_ENV", "production").env("PYTHONDONTWRITEBYTECODE", "1");
        Beside::start(&mut command, &self.folder.join("serve.log"))
    }
}

/// Removes the databases of all peers.
pub fn forget(bench: &Bench) {
    for peer in ["fastapi", "fastify", "go"] {
        super::remove_database(&bench.scratch.join("peers").join(peer).join("padron.db"));
    }
}

fn fastapi(bench: &Bench) -> Result<Peer, Failure> {
    let (folder, address) = (folder(bench, "fastapi")?, "127.0.0.1:18083");
    let python = folder.join("python").join("bin").join("python");
    if !python.exists() {
        program::run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("python")))?;
    }
    let requirements = source("fastapi/requirements.txt")?;
    program::run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements))?;
    let versions = "import platform, sqlite3, fastapi, uvicorn; print(f'Python {platform.python_version()}, FastAPI \
                    {fastapi.__version__}, uvicorn {uvicorn.__version__}, SQLite {sqlite3.sqlite_version}')";
    let version = program::printed(Command::new(&python).args(["-c", versions]))?;
    let load = vec![python.clone().into(), source("fastapi/load.py")?.into()];
    let mut serve: Vec<OsString> = vec![python.into()];
    serve.extend(["-m", "uvicorn", "app:app", "--app-dir"].map(OsString::from));
    serve.push(source("fastapi")?.into());
    serve.extend(["--host", "127.0.0.1", "--port", "18083", "--workers", "1"].map(OsString::from));
    serve.extend(["--no-access-log", "--log-level", "warning"].map(OsString::from));
    Ok(Peer { address, version, folder, load, serve })
}

fn fastify(bench: &Bench) -> Result<Peer, Failure> {
    let (folder, address) = (folder(bench, "fastify")?, "127.0.0.1:18084");
    // Node looks for its packages beside the program.
    for file in ["package.json", "load.js", "app.js"] {
        fs::copy(source("fastify")?.join(file), folder.join(file))?;
    }
    eprintln!("installing Fastify (better-sqlite3 may compile SQLite) …");
    let mut npm = Command::new("npm");
    npm.args(["install", "--omit=dev", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel", "error"]);
    program::run(npm.current_dir(&folder))?;
    let versions = "const of = name => require(`./node_modules/${name}/package.json`).version; console.log(`Node.js \
                    ${process.versions.node}, Fastify ${of('fastify')}, better-sqlite3 ${of('better-sqlite3')}`)";
    let version = program::printed(Command::new("node").args(["-e", versions]).current_dir(&folder))?;
    let program = |name: &str| vec![OsString::from("node"), folder.join(name).into()];
    let (load, serve) = (program("load.js"), program("app.js"));
    Ok(Peer { address, version, folder, load, serve })
}

/// Built with Debian's package of the SQLite driver, so without modules.
fn go(bench: &Bench) -> Result<Peer, Failure> {
    let (folder, address) = (folder(bench, "go")?, "127.0.0.1:18085");
    let program = folder.join("peer");
    let mut build = Command::new("go");
    build.arg("build").arg("-o").arg(&program).arg(".").current_dir(source("go")?);
    build.env("GO111MODULE", "off").env("GOPATH", "/usr/share/gocode").env("GOFLAGS", "");
    program::run(build.env("GOCACHE", folder.join("cache")))?;
    let version = program::printed(Command::new(&program).arg("version"))?;
    let does = |verb: &str| vec![program.clone().into(), verb.into()];
    let (load, serve) = (does("load"), does("serve"));
    Ok(Peer { address, version, folder, load, serve })
}

fn folder(bench: &Bench, peer: &str) -> Result<PathBuf, Failure> {
    let folder = bench.scratch.join("peers").join(peer);
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A file of `bench/peers`.
fn source(name: &str) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(Path::new(SOURCES).join(name))?)
}

fn command(words: &[OsString]) -> Result<Command, Failure> {
    let (program, arguments) = words.split_first().ok_or("a command without a program")?;
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}
