//! Commands that a person runs on a terminal: what they ask, what they echo, and the form of the log.

use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::Child;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use kuraka_sandbox::sample;
use rustix::fs::OFlags;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, tcgetattr};

use super::program::{DEADLINE, Home, eventually};

const PASSWORD: &str = "una contraseña muy larga";
const EMAIL: [&str; 2] = ["--email", "ana@example.pe"];

/// A command on a terminal of its own.
struct Terminal {
    keyboard: File,
    coming: Receiver<u8>,
    seen: Vec<u8>,
    child: Child,
}

impl Terminal {
    fn start(home: &Home, arguments: &[&str]) -> Self {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&main).unwrap();
        unlockpt(&main).unwrap();
        let name = ptsname(&main, Vec::new()).unwrap().into_string().unwrap();
        let no_tty = OFlags::NOCTTY.bits().cast_signed();
        let program = File::options().read(true).write(true).custom_flags(no_tty).open(name).unwrap();
        let mut command = home.command(arguments);
        let child = command.stdin(program.try_clone().unwrap()).stdout(program.try_clone().unwrap()).stderr(program);
        let child = child.spawn().unwrap();
        let keyboard = File::from(main);
        let screen = keyboard.try_clone().unwrap();
        let (sender, coming) = channel();
        // Reading ends with an error when the last process closes the terminal.
        let bytes = BufReader::new(screen).bytes();
        thread::spawn(move || bytes.map_while(Result::ok).try_for_each(|byte| sender.send(byte)));
        Self { keyboard, coming, seen: Vec::new(), child }
    }

    fn screen(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }

    fn wait_for(&mut self, text: &str) {
        while !self.seen.ends_with(text.as_bytes()) {
            let byte = self.coming.recv_timeout(DEADLINE);
            self.seen.push(byte.unwrap_or_else(|error| panic!("{error}: {text}: {}", self.screen())));
        }
    }

    fn type_line(&mut self, text: &str) {
        self.keyboard.write_all(format!("{text}\n").as_bytes()).unwrap();
    }

    /// Waits for the prompt and the end of the echo, and types a password.
    async fn type_unseen(&mut self, prompt: &str, password: &str) {
        self.wait_for(prompt);
        let has_echo = || tcgetattr(&self.keyboard).unwrap().local_modes.contains(LocalModes::ECHO);
        eventually("the terminal has no echo", || (!has_echo()).then_some(())).await;
        self.type_line(password);
    }

    /// Waits for the end of the command, and returns its exit code and the screen.
    fn ended(mut self) -> (Option<i32>, String) {
        while let Ok(byte) = self.coming.recv_timeout(DEADLINE) {
            self.seen.push(byte);
        }
        (self.child.wait().unwrap().code(), self.screen())
    }
}

/// A folder with an account, whose commands have the terminal of their standard input as theirs.
fn with_account() -> Home {
    let home = Home::new();
    home.run(&[&["account", "create"], &EMAIL[..]].concat()).succeeded();
    home.through(["setsid", "--ctty", "--wait"])
}

#[tokio::test]
async fn set_password_asks_twice_without_echo() {
    let home = with_account();
    let set = [&["account", "set-password"], &EMAIL[..]].concat();
    for (second, code, said) in [
        (PASSWORD, 0, "the password of ana@example.pe is set"),
        ("otra contraseña muy larga", 1, "the two passwords differ, nothing is changed"),
    ] {
        let mut terminal = Terminal::start(&home, &set);
        terminal.type_unseen("New password: ", PASSWORD).await;
        terminal.type_unseen("The same again: ", second).await;
        let (ended, screen) = terminal.ended();
        assert_eq!(ended, Some(code), "{screen}");
        assert!(screen.contains(said) && !screen.contains("larga"), "{screen}");
    }
}

#[test]
fn delete_asks_on_a_terminal() {
    let home = with_account();
    let delete = [&["account", "delete"], &EMAIL[..]].concat();
    for (answer, code, said) in
        [("", 1, "is not deleted"), ("n", 1, "is not deleted"), ("y", 0, "ana@example.pe is deleted")]
    {
        let mut terminal = Terminal::start(&home, &delete);
        terminal.wait_for("Delete ana@example.pe with its tokens, sessions and usage? [y/N] ");
        terminal.type_line(answer);
        let (ended, screen) = terminal.ended();
        assert!(ended == Some(code) && screen.contains(said), "{answer:?}: {ended:?}: {screen}");
    }
}

#[test]
fn a_lookup_of_a_file_shows_its_progress() {
    let home = Home::new().with("TERM", "xterm");
    home.import(sample::PADRON);
    let file = home.write("companies.csv", format!("ruc\n{}", format!("{}\n", sample::COMPANY).repeat(50_000)));
    // The result goes to a file, so that the terminal is free.
    let home = home.through(["sh", "-c", "exec \"$0\" \"$@\" > out.csv"]);
    let (ended, screen) = Terminal::start(&home, &["lookup", "--file", &file]).ended();
    assert!(ended == Some(0) && screen.contains("lookup") && screen.contains(" rows/s"), "{screen:?}");
    let out = std::fs::read_to_string(home.path("out.csv")).unwrap();
    assert!(out.lines().count() == 50_001 && !out.contains('\u{1b}'));
}

#[test]
fn the_log_is_text_on_a_terminal_and_json_elsewhere() {
    let home = Home::new();
    let mut terminal = Terminal::start(&home, &["serve"]);
    terminal.wait_for("listening");
    terminal.child.kill().unwrap();
    let (_, screen) = terminal.ended();
    assert!(screen.contains("INFO") && !screen.contains("\"message\""), "{screen}");
    let serving = home.serve();
    assert!(serving.logs().iter().all(|line| line.starts_with('{')), "{:?}", serving.logs());
    let home = home.with("KURAKA__LOG__FORMAT", "json");
    serving.stop();
    let mut terminal = Terminal::start(&home, &["serve"]);
    terminal.wait_for("\"listening\"");
    terminal.child.kill().unwrap();
    terminal.ended();
}
