//! A client that sees every byte, and whether a connection ended or broke.

use std::time::Duration;

use encoding_rs::WINDOWS_1252;
use kuraka_domain::Ruc;
use kuraka_sandbox::upstream::{MARK, ProviderShape, Target, Upstream};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// No exchange of these tests takes longer, or something is wrong.
const DEADLINE: Duration = Duration::from_secs(10);
/// How long nothing must come to count as silence, where silence is expected.
const SILENCE: Duration = Duration::from_millis(250);

/// A token in the form that the page wants.
pub(super) const TOKEN: &str = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdef";

/// A provider whose answers have every kind of field.
pub(super) const DETAILED: &str = r#"
[request]
method = "GET"
url = "https://detailed.example/v1/ruc/{ruc}"
token = { in = "query", name = "token" }

[fields]
ruc = "/ruc"
name = "/razonSocial"
status = "/estado"
condition = "/condicion"
address = "/direccion"
district = "/distrito"
province = "/provincia"
department = "/departamento"
registered = { at = "/inscripcion", nullable = true }
deregistered = { at = "/baja", nullable = true }
activities = { at = "/actividades", nullable = true }
padrones = "/padrones"

[sample.found]
status = 200
body = '{"ruc": "20131312955", "razonSocial": "X", "estado": "ACTIVO", "condicion": "HABIDO", "direccion": "A", "distrito": "B", "provincia": "C", "departamento": "D", "inscripcion": "1993-05-04T00:00:00.000Z", "baja": null, "actividades": ["Principal    - 1 - X"], "padrones": ["NINGUNO"]}'

[sample.not_found]
status = 200
body = '{"success": false, "message": "No se encontraron resultados."}'
"#;

/// A provider that is asked by POST and nests its answers.
pub(super) const NESTED: &str = r#"
[request]
method = "POST"
url = "https://nested.example/api/ruc"
body = { ruc = "{ruc}" }
token = { in = "header", name = "Authorization", prefix = "Bearer " }

[fields]
ruc = ["/data/numero", "/data/ruc"]
name = "/data/nombre"
status = "/data/estado"
condition = "/data/condicion"

[sample.found]
status = 200
body = '{"success": true, "data": {"ruc": "20131312955", "nombre": "X", "estado": "ACTIVO", "condicion": "HABIDO"}}'
"#;

/// Everything that came before the connection ended.
#[derive(Debug)]
pub(super) struct Received {
    pub(super) bytes: Vec<u8>,
    /// The connection broke instead of ending.
    pub(super) reset: bool,
    /// The connection neither ended nor broke.
    pub(super) silent: bool,
}

/// An answer with a head.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: Vec<u8>,
}

impl Received {
    pub(super) fn reply(&self) -> Reply {
        let end = self.bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(self.bytes[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let (mark, sandbox) = MARK;
        assert!(head.contains(&format!("\r\n{mark}: {sandbox}\r\n")), "the sandbox marks its answers: {head}");
        Reply { status, head, body: self.bytes[end + 4..].to_vec() }
    }
}

impl Reply {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().filter_map(|line| line.split_once(": ")).find(|(known, _)| *known == name).map(|(_, v)| v)
    }

    /// The body of the page, read as what it is.
    pub(super) fn page(&self) -> String {
        WINDOWS_1252.decode_without_bom_handling(&self.body).0.into_owned()
    }

    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// A sandbox with both providers.
pub(super) async fn start() -> Upstream {
    let providers = [("detailed", DETAILED), ("nested", NESTED)];
    let providers = providers.map(|(name, file)| ProviderShape::from_file(name, file).unwrap()).into();
    Upstream::start(loopback(), providers).await.unwrap()
}

pub(super) fn loopback() -> std::net::SocketAddr {
    ([127, 0, 0, 1], 0).into()
}

pub(super) fn ruc(text: &str) -> Ruc {
    Ruc::parse(text).unwrap()
}

pub(super) fn detailed() -> Target {
    Target::provider("detailed")
}

/// Sends bytes and receives until the connection ends or breaks.
pub(super) async fn send(upstream: &Upstream, request: &str) -> Received {
    let received = send_with_patience(upstream, request, DEADLINE).await;
    assert!(!received.silent, "the exchange ends in time");
    received
}

/// The same, but gives up when nothing comes for so long.
async fn send_with_patience(upstream: &Upstream, request: &str, patience: Duration) -> Received {
    let receive = async {
        let mut stream = TcpStream::connect(upstream.address()).await.unwrap();
        // A connection that is reset at once may refuse the request: that shows when it is read.
        let _ = stream.write_all(request.as_bytes()).await;
        let mut received = Received { bytes: Vec::new(), reset: false, silent: false };
        loop {
            match timeout(patience, stream.read_buf(&mut received.bytes)).await {
                Ok(Ok(0)) => return received,
                Ok(Ok(_)) => {}
                Ok(Err(_)) => {
                    received.reset = true;
                    return received;
                }
                Err(_) => {
                    received.silent = true;
                    return received;
                }
            }
        }
    };
    timeout(DEADLINE * 2, receive).await.unwrap()
}

fn form_request(form: &str) -> String {
    let length = form.len();
    format!(
        "POST /cl-ti-itmrconsruc/jcrS00Alias HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n{form}"
    )
}

fn form(ruc: &str) -> String {
    format!("accion=consPorRuc&nroRuc={ruc}&token={TOKEN}&modo=1")
}

/// Asks the page by a form.
pub(super) async fn ask_form(upstream: &Upstream, form: &str) -> Received {
    send(upstream, &form_request(form)).await
}

/// Asks the page for a RUC, in today's layout.
pub(super) async fn ask(upstream: &Upstream, ruc: &str) -> Received {
    ask_form(upstream, &form(ruc)).await
}

/// The same where silence is expected.
pub(super) async fn ask_briefly(upstream: &Upstream, ruc: &str) -> Received {
    send_with_patience(upstream, &form_request(&form(ruc)), SILENCE).await
}

/// Asks the provider with the detailed answers.
pub(super) async fn ask_detailed(upstream: &Upstream, ruc: &str) -> Received {
    send(upstream, &format!("GET /detailed/v1/ruc/{ruc}?token=t HTTP/1.1\r\nHost: x\r\n\r\n")).await
}
