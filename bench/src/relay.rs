//! A relay on loopback that delays each answer of the server behind it. It makes a source or a database slow without using
//! any processor time.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Starts a relay to `to` and returns its address. It ends with the process.
pub fn start(to: SocketAddr, delay: Duration) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || carry(near, to, delay));
        }
    });
    Ok(address)
}

fn carry(near: TcpStream, to: SocketAddr, delay: Duration) -> io::Result<()> {
    let far = TcpStream::connect(to)?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    let (question, asked) = (near.try_clone()?, far.try_clone()?);
    // Set by a question, and cleared by the first bytes of its answer.
    let is_asked = Arc::new(AtomicBool::new(false));
    let answered = Arc::clone(&is_asked);
    thread::spawn(move || forward(question, asked, || is_asked.store(true, Ordering::Release)));
    forward(far, near, || {
        if answered.swap(false, Ordering::AcqRel) {
            thread::sleep(delay);
        }
    })
}

/// Forwards until one end closes, and calls `before` with each piece.
fn forward(mut from: TcpStream, mut to: TcpStream, before: impl Fn()) -> io::Result<()> {
    let mut buffer = [0; 16_384];
    loop {
        let read = from.read(&mut buffer)?;
        if read == 0 {
            return to.shutdown(Shutdown::Write);
        }
        before();
        to.write_all(buffer.get(..read).unwrap_or_default())?;
    }
}
