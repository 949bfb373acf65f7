//! A minimal load balancer. It polls the readiness of each server and gives each connection to the next ready one.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::interval;

use super::http::is_ready;
use super::program::Serving;

/// How often each server's readiness is polled; a server's `http.stop_delay` must be longer.
const POLL_EVERY: Duration = Duration::from_millis(50);

pub(crate) struct Balancer {
    pub(crate) address: SocketAddr,
    behind: Arc<Mutex<Vec<Arc<Behind>>>>,
}

struct Behind {
    api: SocketAddr,
    admin: SocketAddr,
    is_ready: AtomicBool,
}

impl Balancer {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let behind: Arc<Mutex<Vec<Arc<Behind>>>> = Arc::default();
        let all = Arc::clone(&behind);
        tokio::spawn(async move {
            let turn = AtomicUsize::new(0);
            while let Ok((near, _)) = listener.accept().await {
                let ready: Vec<SocketAddr> = {
                    let all = all.lock().unwrap();
                    all.iter()
                        .filter(|behind| behind.is_ready.load(Ordering::Acquire))
                        .map(|behind| behind.api)
                        .collect()
                };
                // Without a ready server the connection is closed and the test fails.
                let Some(next) = ready.get(turn.fetch_add(1, Ordering::Relaxed) % ready.len().max(1)) else { continue };
                tokio::spawn(carry(near, *next));
            }
        });
        Self { address, behind }
    }

    /// Adds a server, which receives connections while it is ready.
    pub(crate) fn add(&self, server: &Serving) {
        let behind = Arc::new(Behind { api: server.api, admin: server.admin, is_ready: AtomicBool::new(false) });
        self.behind.lock().unwrap().push(Arc::clone(&behind));
        tokio::spawn(async move {
            let mut ticks = interval(POLL_EVERY);
            loop {
                ticks.tick().await;
                let admin = behind.admin;
                let ready = tokio::task::spawn_blocking(move || is_ready(admin)).await.unwrap();
                behind.is_ready.store(ready, Ordering::Release);
            }
        });
    }
}

pub(crate) async fn carry(mut near: TcpStream, there: SocketAddr) {
    let Ok(mut far) = TcpStream::connect(there).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let _ = copy_bidirectional(&mut near, &mut far).await;
}
