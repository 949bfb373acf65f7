//! A network between a server and its database that a test can cut, silence and restore.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The state of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    /// Forwards everything.
    Whole,
    /// Closes every connection, including new ones.
    Cut,
    /// Forwards nothing and closes nothing.
    Silent,
    /// Forwards requests, and closes the connection instead of forwarding the answer.
    LosesAnswers,
}

/// A relay to a server that can fail.
pub(crate) struct Cable {
    pub(crate) address: SocketAddr,
    network: watch::Sender<Network>,
}

impl Cable {
    /// A working relay to this address.
    pub(crate) async fn to(there: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (network, is) = watch::channel(Network::Whole);
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(carry(near, there, is.clone()));
            }
        });
        Self { address, network }
    }

    /// A relay to the server of this database, and the database's address through it.
    pub(crate) async fn to_database(address: &str) -> (Self, String) {
        let (before, after) = address.split_once("127.0.0.1:").unwrap();
        let (port, database) = after.split_once('/').unwrap();
        let cable = Self::to(([127, 0, 0, 1], port.parse().unwrap()).into()).await;
        let address = format!("{before}{}/{database}", cable.address);
        (cable, address)
    }

    /// Changes the state of the network.
    pub(crate) fn does(&self, network: Network) {
        self.network.send_replace(network);
    }
}

/// Forwards one connection until one end or the network closes it.
async fn carry(near: TcpStream, there: SocketAddr, mut network: watch::Receiver<Network>) {
    // A silent network accepts no connections either.
    if network.wait_for(|network| *network != Network::Silent).await.is_err() {
        return;
    }
    let Ok(far) = TcpStream::connect(there).await else { return };
    let _ = (near.set_nodelay(true), far.set_nodelay(true));
    let ((mut near_in, mut near_out), (mut far_in, mut far_out)) = (near.into_split(), far.into_split());
    let (mut question, mut answer) = ([0; 16_384], [0; 16_384]);
    loop {
        let now = *network.borrow_and_update();
        if now == Network::Cut {
            return;
        }
        let carries = now != Network::Silent;
        let carried = tokio::select! {
            changed = network.changed() => changed.is_ok(),
            read = near_in.read(&mut question), if carries => match read {
                Ok(read @ 1..) => far_out.write_all(&question[..read]).await.is_ok(),
                Ok(0) | Err(_) => false,
            },
            read = far_in.read(&mut answer), if carries => match read {
                Ok(read @ 1..) if now != Network::LosesAnswers => near_out.write_all(&answer[..read]).await.is_ok(),
                Ok(_) | Err(_) => false,
            },
        };
        if !carried {
            return;
        }
    }
}
