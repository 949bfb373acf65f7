//! Sends an answer's bytes, whole or with a fault, and closes the connection.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::sleep;

use super::answer::Answer;
use super::fault::{Delivery, Framing};

/// The header that marks every answer of the sandbox, and its value.
pub const MARK: (&str, &str) = ("X-Source-Status", "sandbox");

pub(super) async fn deliver(mut stream: TcpStream, answer: &Answer, fault: Option<Delivery>) -> io::Result<()> {
    // So that each slice is a segment.
    stream.set_nodelay(true)?;
    let body = answer.body.as_slice();
    let whole = head(answer, Framing::Length, "");
    match fault {
        None => write(&mut stream, &[&whole, body]).await?,
        Some(Delivery::Late(wait)) => {
            sleep(wait).await;
            write(&mut stream, &[&whole, body]).await?;
        }
        Some(Delivery::Hang) => return gone(&mut stream).await,
        Some(Delivery::HangAfterHead) => {
            write(&mut stream, &[&whole]).await?;
            return gone(&mut stream).await;
        }
        Some(Delivery::Drip(wait)) => {
            write(&mut stream, &[&whole]).await?;
            in_pieces(&mut stream, body, 1, wait).await?;
        }
        Some(Delivery::Slow(rate)) => {
            write(&mut stream, &[&whole]).await?;
            let hundredth = usize::try_from(rate / 100).unwrap_or(usize::MAX).max(1);
            in_pieces(&mut stream, body, hundredth, Duration::from_millis(10)).await?;
        }
        Some(Delivery::Sliced) => in_pieces(&mut stream, &[&whole, body].concat(), 1, Duration::ZERO).await?,
        Some(Delivery::ResetBeforeHead) => return reset(stream),
        Some(Delivery::ResetMidBody) => {
            let half = body.get(..body.len() / 2).unwrap_or_default();
            write(&mut stream, &[&whole, half]).await?;
            return reset(stream);
        }
        Some(Delivery::CloseWithoutStatus) => {}
        Some(Delivery::Cut { at, framing }) => {
            let kept = body.get(..at).unwrap_or(body);
            let head = head(answer, framing, "");
            match framing {
                Framing::Length | Framing::UntilClose => write(&mut stream, &[&head, kept]).await?,
                Framing::Chunked => {
                    let end: &[u8] = if kept.len() == body.len() { b"0\r\n\r\n" } else { b"" };
                    let size = format!("{:x}\r\n", kept.len());
                    // An empty chunk would end the body.
                    let chunk: &[&[u8]] = if kept.is_empty() { &[] } else { &[size.as_bytes(), kept, b"\r\n"] };
                    write(&mut stream, &[&head, &chunk.concat(), end]).await?;
                }
            }
        }
        Some(Delivery::SlowClose(wait)) => {
            write(&mut stream, &[&head(answer, Framing::UntilClose, ""), body]).await?;
            sleep(wait).await;
        }
        Some(Delivery::HugeHead) => {
            let header = format!("X-Huge: {}\r\n", "x".repeat(1 << 20));
            write(&mut stream, &[&head(answer, Framing::Length, &header), body]).await?;
        }
        Some(Delivery::ManyHeaders) => {
            let headers: String = (0..10_000).map(|number| format!("X-Many-{number}: x\r\n")).collect();
            write(&mut stream, &[&head(answer, Framing::Length, &headers), body]).await?;
        }
        Some(Delivery::TwoLengths) => {
            let other = format!("Content-Length: {}\r\n", body.len() + 7);
            write(&mut stream, &[&head(answer, Framing::Length, &other), body]).await?;
        }
        Some(Delivery::NotHttp) => write(&mut stream, &[b"220 mail.example.invalid ESMTP ready\r\n"]).await?,
        Some(Delivery::NoHead) => write(&mut stream, &[body]).await?,
    }
    stream.shutdown().await
}

/// Resets the connection: the client sees an error, not an end.
fn reset(stream: TcpStream) -> io::Result<()> {
    stream.set_zero_linger()
}

fn head(answer: &Answer, framing: Framing, more: &str) -> Vec<u8> {
    let (status, (mark, sandbox)) = (answer.status, MARK);
    let mut head = format!("HTTP/1.1 {status} {}\r\n{mark}: {sandbox}\r\nConnection: close\r\n", reason(status));
    for (name, value) in &answer.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    match framing {
        // A 204 has no body.
        Framing::Length if status == 204 => {}
        Framing::Length => head.push_str(&format!("Content-Length: {}\r\n", answer.body.len())),
        Framing::Chunked => head.push_str("Transfer-Encoding: chunked\r\n"),
        Framing::UntilClose => {}
    }
    head.push_str(more);
    head.push_str("\r\n");
    head.into_bytes()
}

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        302 => "Found",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}

async fn write(stream: &mut TcpStream, parts: &[&[u8]]) -> io::Result<()> {
    for part in parts {
        stream.write_all(part).await?;
    }
    stream.flush().await
}

async fn in_pieces(stream: &mut TcpStream, bytes: &[u8], size: usize, wait: Duration) -> io::Result<()> {
    for piece in bytes.chunks(size) {
        stream.write_all(piece).await?;
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }
    Ok(())
}

/// Waits until the client disconnects.
async fn gone(stream: &mut TcpStream) -> io::Result<()> {
    let mut ignored = [0; 64];
    while stream.read(&mut ignored).await? > 0 {}
    Ok(())
}
