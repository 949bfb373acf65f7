//! A mail server of the test, which answers as it is told. Every test crate that needs one includes this file.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Its threads end with the test process.
pub(crate) struct Mailbox {
    pub(crate) address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// Of the next recipients, instead of 250.
    answers: VecDeque<&'static str>,
    /// Whether no recipient is answered.
    is_silent: bool,
    /// Whether every log-in is refused.
    refuses_log_ins: bool,
    /// What clients logged in with, in base64.
    log_ins: Vec<String>,
}

/// A mail that the server has taken.
#[derive(Clone, Debug)]
pub(crate) struct Mail {
    pub(crate) to: String,
    /// Headers and body.
    pub(crate) source: String,
}

impl Mailbox {
    pub(crate) fn start() -> Self {
        Self::start_with(None)
    }

    /// Begins each connection with this TLS.
    pub(crate) fn start_with(tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mailbox = Self { address: listener.local_addr().unwrap(), state: Arc::default() };
        let state = Arc::clone(&mailbox.state);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, state, tls) = (client.unwrap(), Arc::clone(&state), tls.clone());
                client.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
                // A client that goes away, or refuses the certificate, is an error here.
                thread::spawn(move || match tls {
                    Some(tls) => serve(StreamOwned::new(ServerConnection::new(tls).unwrap(), client), &state),
                    None => serve(client, &state),
                });
            }
        });
        mailbox
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Answers so to the next recipient, such as `451 try again`.
    pub(crate) fn answer(&self, answer: &'static str) {
        self.state().answers.push_back(answer);
    }

    pub(crate) fn be_silent(&self) {
        self.state().is_silent = true;
    }

    pub(crate) fn refuse_log_ins(&self) {
        self.state().refuses_log_ins = true;
    }

    pub(crate) fn log_ins(&self) -> Vec<String> {
        self.state().log_ins.clone()
    }

    pub(crate) fn mails(&self) -> Vec<Mail> {
        self.state().mails.clone()
    }
}

fn serve(stream: impl Read + Write, state: &Mutex<State>) -> io::Result<()> {
    let mut stream = BufReader::new(stream);
    let mut to = String::new();
    answer(&mut stream, "220 mailbox")?;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let line = line.trim_end();
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let said = match &*verb {
            "EHLO" => "250-mailbox\r\n250 AUTH PLAIN",
            "AUTH" => {
                let mut state = state.lock().unwrap();
                state.log_ins.push(line["AUTH PLAIN ".len()..].to_owned());
                if state.refuses_log_ins { "535 wrong user or password" } else { "235 welcome" }
            }
            "RCPT" => {
                let mut state = state.lock().unwrap();
                if state.is_silent {
                    drop(state);
                    // Until the client goes away.
                    return stream.read_to_string(&mut String::new()).map(drop);
                }
                to = line["RCPT TO:<".len()..line.rfind('>').unwrap()].to_owned();
                state.answers.pop_front().unwrap_or("250 go on")
            }
            "DATA" => {
                answer(&mut stream, "354 go on")?;
                let mut source = String::new();
                while !source.ends_with("\r\n.\r\n") {
                    if stream.read_line(&mut source)? == 0 {
                        return Ok(());
                    }
                }
                state.lock().unwrap().mails.push(Mail { to: to.clone(), source });
                "250 taken"
            }
            "QUIT" => return answer(&mut stream, "221 bye"),
            _ => "250 go on",
        };
        answer(&mut stream, said)?;
    }
}

fn answer<S: Read + Write>(stream: &mut BufReader<S>, said: &str) -> io::Result<()> {
    stream.get_mut().write_all(format!("{said}\r\n").as_bytes())?;
    stream.get_mut().flush()
}

impl Mail {
    /// A header, as it is written.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let (headers, _) = self.source.split_once("\r\n\r\n")?;
        headers.split("\r\n").find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
    }

    /// The text of the part with this type.
    pub(crate) fn part(&self, media_type: &str) -> String {
        let boundary = self.source.split("boundary=\"").nth(1).unwrap().split('"').next().unwrap();
        let part = self.source.split(&format!("--{boundary}")).find(|part| part.contains(media_type)).unwrap();
        let (headers, body) = part.split_once("\r\n\r\n").unwrap();
        if !headers.contains("quoted-printable") {
            return body.to_owned();
        }
        let body = body.replace("=\r\n", "");
        let mut pieces = body.split('=');
        let mut bytes = pieces.next().unwrap().as_bytes().to_vec();
        for piece in pieces {
            bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
            bytes.extend_from_slice(&piece.as_bytes()[2..]);
        }
        String::from_utf8(bytes).unwrap()
    }
}
