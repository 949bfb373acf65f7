//! The options that connections inherit from their listener.

use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use socket2::{Domain, Socket, Type};

use super::client::limits;
use crate::socket::configure;

#[test]
fn an_accepted_connection_sends_the_last_part_of_an_answer_at_once() {
    let listener = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    configure(&listener, &limits());
    listener.bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).unwrap();
    listener.listen(1).unwrap();
    let _client = TcpStream::connect(listener.local_addr().unwrap().as_socket().unwrap()).unwrap();
    assert!(listener.accept().unwrap().0.tcp_nodelay().unwrap());
}
