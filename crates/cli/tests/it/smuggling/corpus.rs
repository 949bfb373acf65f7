//! Requests with ambiguous or invalid framing. By RFC 9112 each case holds a known number of requests; each also holds a
//! `PUT` that is part of a body or follows an invalid message, so that a server that runs it has been deceived.

use std::ops::RangeInclusive;

/// The body of a valid call, 0x15 bytes long.
const BODY: &str = r#"{"ruc":"20100119227"}"#;
/// The hidden request. No case holds a `PUT` that may be run.
const HIDDEN: &str = "PUT /ruc HTTP/1.1\r\nHost: kuraka\r\nContent-Length: 0\r\n\r\n";
/// Stands for the case's id.
const ID: &str = "THE-ID-OF-THE-CASE";
/// Nothing may be run: the message is invalid.
const NONE: RangeInclusive<usize> = 0..=0;
/// Servers may refuse the message or run its one request.
const MAYBE: RangeInclusive<usize> = 0..=1;
/// The message is valid.
const ONE: RangeInclusive<usize> = 1..=1;

/// What a client sends on one connection, and what the server may do with it.
pub(super) struct Case {
    pub(super) name: String,
    /// The `X-Request-Id` of its requests, except of the hidden one.
    pub(super) id: String,
    pub(super) bytes: String,
    /// How many requests the server may run.
    pub(super) may_run: RangeInclusive<usize>,
    /// How many of these may find a record; a call with a broken body is run as far as its error.
    pub(super) may_find: usize,
    /// How many messages get no answer while the connection is open, because they do not end.
    pub(super) endless: usize,
}

/// Every case, for a client with this token.
pub(super) fn cases(token: &str) -> Vec<Case> {
    let kinds = [both_lengths, lengths, encodings, valid_encodings, chunks, lines, start_lines, connections];
    let mut cases: Vec<Case> = kinds.into_iter().flat_map(|kind| kind(&Client(token))).collect();
    for (number, case) in cases.iter_mut().enumerate() {
        case.id = format!("case-{number}.");
        case.bytes = case.bytes.replace(ID, &case.id);
    }
    cases
}

/// A client with its token.
struct Client<'a>(&'a str);

impl Client<'_> {
    /// A call with these framing lines, each with its line end, and this body.
    fn call(&self, framing: &str, body: &str) -> String {
        self.starting("POST /ruc HTTP/1.1\r\nHost: kuraka\r\n", framing, body)
    }

    /// The same with another request line and `Host`.
    fn starting(&self, start: &str, framing: &str, body: &str) -> String {
        let token = self.0;
        format!(
            "{start}Authorization: Bearer {token}\r\nX-Request-Id: {ID}\r\nContent-Type: application/json\r\n\
             {framing}\r\n{body}"
        )
    }
}

fn case(name: &str, may_run: RangeInclusive<usize>, bytes: String) -> Case {
    let may_find = *may_run.end();
    Case { name: name.escape_debug().to_string(), id: String::new(), bytes, may_run, may_find, endless: 0 }
}

/// A body that ends at once for a reader of chunks, and holds the hidden request for a reader of lengths.
fn ended() -> String {
    format!("0\r\n\r\n{HIDDEN}")
}

/// One chunk that holds the hidden request.
fn in_a_chunk() -> String {
    format!("{:x}\r\n{HIDDEN}\r\n0\r\n\r\n", HIDDEN.len())
}

/// `Content-Length` and `Transfer-Encoding` in one message.
fn both_lengths(client: &Client<'_>) -> Vec<Case> {
    let length = format!("Content-Length: {}\r\n", ended().len());
    let chunked = "Transfer-Encoding: chunked\r\n";
    vec![
        case("length, then chunked", MAYBE, client.call(&format!("{length}{chunked}"), &ended())),
        case("chunked, then length", MAYBE, client.call(&format!("{chunked}{length}"), &ended())),
        case("length within a chunk", MAYBE, client.call(&format!("Content-Length: 4\r\n{chunked}"), &in_a_chunk())),
        case("length 0 and chunked", MAYBE, client.call(&format!("Content-Length: 0\r\n{chunked}"), &in_a_chunk())),
        case(
            "chunked named in Connection",
            MAYBE,
            client.call(&format!("Connection: Transfer-Encoding\r\n{length}{chunked}"), &ended()),
        ),
    ]
}

/// Several or invalid `Content-Length`s.
fn lengths(client: &Client<'_>) -> Vec<Case> {
    let both = format!("{BODY}{HIDDEN}");
    let (short, long) = (BODY.len(), both.len());
    let two = |first: usize, second: usize, body: &str| {
        client.call(&format!("Content-Length: {first}\r\nContent-Length: {second}\r\n"), body)
    };
    let mut cases = vec![
        case("two lengths", NONE, two(short, long, &both)),
        case("two lengths, the longer first", NONE, two(long, short, &both)),
        case("length 0 and a length", NONE, two(0, 54, HIDDEN)),
        case("one length twice", MAYBE, two(short, short, BODY)),
        case("length in a list", MAYBE, client.call(&format!("Content-Length: {short}, {short}\r\n"), BODY)),
        case("two lengths in a list", NONE, client.call(&format!("Content-Length: {short}, {long}\r\n"), &both)),
        case(
            "length named in Connection",
            MAYBE,
            client.call(&format!("Connection: Content-Length\r\nContent-Length: {long}\r\n"), &both),
        ),
    ];
    let no_numbers = [
        "+21", "-21", "-1", "0x15", "21 21", "21abc", "", "21.0", "2e1", "\"21\"", "21;", "\u{b}21", "21\u{0}", "２１",
    ];
    for wrong in no_numbers.into_iter().chain(["18446744073709551637", "99999999999999999999999999"]) {
        let framing = format!("Content-Length: {wrong}\r\n");
        cases.push(case(&format!("length {wrong:?}"), NONE, client.call(&framing, &both)));
    }
    cases
}

/// `Transfer-Encoding`s that some readers take for `chunked`. Each has a length too.
fn encodings(client: &Client<'_>) -> Vec<Case> {
    let cases = [
        ("Transfer-Encoding: xchunked\r\n", NONE),
        ("Transfer-Encoding: chunk\r\n", NONE),
        ("Transfer-Encoding: chunkedchunked\r\n", NONE),
        ("Transfer-Encoding: chunked, identity\r\n", NONE),
        ("Transfer-Encoding: chunked, gzip\r\n", NONE),
        ("Transfer-Encoding: identity\r\n", MAYBE),
        ("Transfer-Encoding: identity, chunked\r\n", MAYBE),
        ("Transfer-Encoding: gzip, chunked\r\n", MAYBE),
        ("Transfer-Encoding: chunked, chunked\r\n", NONE),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", NONE),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", NONE),
        ("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", MAYBE),
        ("Transfer-Encoding: \"chunked\"\r\n", NONE),
        ("Transfer-Encoding: chunked;q=1\r\n", NONE),
        ("Transfer-Encoding: \r\n", NONE),
        ("Transfer-Encoding:\u{b}chunked\r\n", NONE),
        ("Transfer-Encoding: chunked\u{0}\r\n", NONE),
        ("Transfer-Encoding: ch\r\n unked\r\n", NONE),
        ("Transfer-Encoding:\r\n chunked\r\n", MAYBE),
        ("Transfer-Encoding : chunked\r\n", NONE),
        ("Transfer-Encoding\t: chunked\r\n", NONE),
        ("Transfer-Encoding\u{0}: chunked\r\n", NONE),
        ("Transfer-Encoding\r\n: chunked\r\n", NONE),
        (" Transfer-Encoding: chunked\r\n", MAYBE),
        ("X: y\rTransfer-Encoding: chunked\r\n", NONE),
        ("X: y\nTransfer-Encoding: chunked\r\n", MAYBE),
        ("Transfer-Encoding: chunked\n", MAYBE),
        // Other headers, which say nothing about the length.
        ("Transfer_Encoding: chunked\r\n", MAYBE),
        ("X-Transfer-Encoding: chunked\r\n", ONE),
        ("Content-Encoding: chunked\r\n", ONE),
        ("TE: chunked\r\n", ONE),
    ];
    let length = format!("Content-Length: {}\r\n", ended().len());
    let build = |(line, may_run): (&str, _)| case(line, may_run, client.call(&format!("{length}{line}"), &ended()));
    cases.into_iter().map(build).collect()
}

/// Valid spellings of `chunked`.
fn valid_encodings(client: &Client<'_>) -> Vec<Case> {
    let lines = ["Transfer-Encoding: Chunked\r\n", "transfer-encoding:chunked\r\n", "Transfer-Encoding:\tchunked \r\n"];
    lines.into_iter().map(|line| case(line, ONE, client.call(line, &in_a_chunk()))).collect()
}

/// Chunks whose end is not clear. The number says whether the body may be accepted.
fn chunks(client: &Client<'_>) -> Vec<Case> {
    let chunk = |size: &str| format!("{size}\r\n{BODY}\r\n0\r\n\r\n");
    let broken = |size: &str| format!("{}{HIDDEN}", chunk(size));
    let long = format!("15;{}", "x".repeat(16 * 1024));
    let cases = [
        ("an extension", 1, chunk("15;name=value")),
        ("a quoted extension", 1, chunk("15;name=\"a\\\"b;c\"")),
        ("a line end in an extension", 1, format!("15;a\n{BODY}\r\n0\r\n\r\n")),
        ("a long extension", 1, chunk(&long)),
        ("a size with zeros", 1, chunk("0000000000000015")),
        ("a blank after a size", 1, chunk("15 ")),
        ("a size over 64 bits", 0, broken("10000000000000015")),
        ("a size of 2⁶⁴−1", 0, broken("ffffffffffffffff")),
        ("a size with 0x", 0, broken("0x15")),
        ("a size with +", 0, broken("+15")),
        ("a size with −", 0, broken("-15")),
        ("a blank before a size", 0, broken(" 15")),
        ("a blank within a size", 0, broken("1 5")),
        ("a size with _", 0, broken("1_5")),
        ("no size", 0, broken("")),
        ("a size in other digits", 0, broken("１５")),
        ("a NUL after a size", 0, broken("15\u{0}")),
        ("a size with a line feed only", 1, format!("15\n{BODY}\r\n0\r\n\r\n")),
        ("a size with a carriage return only", 0, format!("15\r{BODY}\r\n0\r\n\r\n{HIDDEN}")),
        ("no line end after the data", 0, format!("15\r\n{BODY}0\r\n\r\n{HIDDEN}")),
        ("two other bytes after the data", 0, format!("15\r\n{BODY}XX0\r\n\r\n{HIDDEN}")),
        ("more data than the size", 0, format!("2\r\n{BODY}\r\n0\r\n\r\n{HIDDEN}")),
        ("trailers", 1, format!("15\r\n{BODY}\r\n0\r\nX: y\r\n\r\n")),
        ("a length as trailer", 1, format!("15\r\n{BODY}\r\n0\r\nContent-Length: 54\r\n\r\n")),
        ("an encoding as trailer", 1, format!("15\r\n{BODY}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n")),
        ("the hidden request as trailer", 1, format!("15\r\n{BODY}\r\n0\r\n{HIDDEN}")),
    ];
    let build = |(name, may_find, body): (&str, usize, String)| {
        let endless = usize::from(body.starts_with("ffffffffffffffff"));
        Case { may_find, endless, ..case(name, MAYBE, client.call("Transfer-Encoding: chunked\r\n", &body)) }
    };
    cases.into_iter().map(build).collect()
}

/// Header lines that parsers read differently.
fn lines(client: &Client<'_>) -> Vec<Case> {
    let both = format!("{BODY}{HIDDEN}");
    let length = format!("Content-Length: {}\r\n", both.len());
    let mut cases: Vec<Case> = [
        ("Content-Length : 21\r\n", NONE),
        ("Content-Length\t: 21\r\n", NONE),
        ("Content-Length\u{0}: 21\r\n", NONE),
        ("Content-Length:\r\n 21\r\n", NONE),
        ("Content-Length: 2\r\n 1\r\n", NONE),
        ("Content-Length 21\r\n", NONE),
        (": 21\r\nContent-Length: 21\r\n", NONE),
        ("X: a\u{0}b\r\nContent-Length: 21\r\n", NONE),
        ("X\u{7f}: y\r\nContent-Length: 21\r\n", NONE),
        ("X Y: z\r\nContent-Length: 21\r\n", NONE),
    ]
    .into_iter()
    .map(|(line, may_run)| case(line, may_run, client.call(line, &both)))
    .collect();
    cases.push(case("a folded line", MAYBE, client.call(&format!("X: a\r\n b\r\n{length}"), &both)));
    cases.push(case("a tab in a value", ONE, client.call(&format!("X: a\tb\r\n{length}"), &both)));
    let feeds = client.call(&length, "").replace("\r\n", "\n");
    cases.push(case("line feeds only", MAYBE, format!("{feeds}{both}")));
    let returns = client.call("Content-Length: 21\r\n", "").replace("\r\n", "\r");
    let endless = case("carriage returns only", NONE, format!("{returns}{both}"));
    cases.push(Case { endless: 1, ..endless });
    cases
}

/// Request lines and hosts.
fn start_lines(client: &Client<'_>) -> Vec<Case> {
    let both = format!("{BODY}{HIDDEN}");
    let length = format!("Content-Length: {}\r\n", both.len());
    let cases = [
        ("POST http://kuraka/ruc HTTP/1.1\r\nHost: kuraka\r\n", ONE),
        ("POST http://elsewhere/ruc HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/1.1\r\nHost: kuraka\r\nHost: elsewhere\r\n", MAYBE),
        ("POST /ruc HTTP/1.1\r\nHost: kuraka\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/1.1\r\n", MAYBE),
        ("POST /ruc HTTP/1.1\r\nHost: kuraka, elsewhere\r\n", MAYBE),
        ("\r\nPOST /ruc HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("POST  /ruc HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("POST\t/ruc\tHTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        (" POST /ruc HTTP/1.1\r\nHost: kuraka\r\n", NONE),
        ("POST /ruc /cpe HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/1.1 \r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/1.1\r\n Host: kuraka\r\n", NONE),
        ("POST /ruc\u{0} HTTP/1.1\r\nHost: kuraka\r\n", NONE),
        ("POST /ruc HTTP/1.9\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/2.0\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/11\r\nHost: kuraka\r\n", NONE),
        ("POST /ruc http/1.1\r\nHost: kuraka\r\n", NONE),
        ("POST /ruc\r\nHost: kuraka\r\n", NONE),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nPOST /ruc HTTP/1.1\r\nHost: kuraka\r\n", NONE),
        ("GET /usage HTTP/1.1\r\nHost: kuraka\r\n", ONE),
        ("HEAD /ruc HTTP/1.1\r\nHost: kuraka\r\n", ONE),
        ("DELETE /ruc HTTP/1.1\r\nHost: kuraka\r\n", ONE),
        ("OPTIONS * HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("TRACE /ruc HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("CONNECT kuraka:80 HTTP/1.1\r\nHost: kuraka\r\n", MAYBE),
        ("POST /ruc HTTP/1.0\r\nHost: kuraka\r\nConnection: keep-alive\r\n", ONE),
    ];
    let mut cases: Vec<Case> = cases
        .into_iter()
        .map(|(start, may_run)| case(start, may_run, client.starting(start, &length, &both)))
        .collect();
    for start in ["GET /usage HTTP/1.1\r\nHost: kuraka\r\n", "POST /ruc HTTP/1.0\r\nConnection: keep-alive\r\n"] {
        let bytes = client.starting(start, "Transfer-Encoding: chunked\r\n", &in_a_chunk());
        cases.push(case(&format!("{start}, chunked"), MAYBE, bytes));
    }
    cases
}

/// Upgrades, expectations, and requests that follow each other.
fn connections(client: &Client<'_>) -> Vec<Case> {
    let both = format!("{BODY}{HIDDEN}");
    let length = format!("Content-Length: {}\r\n", both.len());
    let upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n";
    let one = client.call("Content-Length: 21\r\n", BODY);
    let last = client.call("Content-Length: 21\r\nConnection: close\r\n", BODY);
    vec![
        case("an upgrade to h2c", MAYBE, client.call(&format!("{upgrade}{length}"), &both)),
        case(
            "an upgrade to a web socket",
            MAYBE,
            client.call(&format!("Connection: Upgrade\r\nUpgrade: websocket\r\n{length}"), &both),
        ),
        case("100-continue, with the body", ONE, client.call(&format!("Expect: 100-continue\r\n{length}"), &both)),
        case("an unknown expectation", MAYBE, client.call(&format!("Expect: 200-ok\r\n{length}"), &both)),
        case(
            "a body over the limit",
            ONE,
            client.call("Content-Length: 6000\r\n", &HIDDEN.repeat(6_000 / 54 + 1)[..6_000]),
        ),
        // RFC 9112, section 9.6, wants one; actix-http also runs requests that arrived together with it.
        case("a request after Connection: close", 1..=2, format!("{last}{one}")),
        case("two requests", 2..=2, one.repeat(2)),
        case("three requests, one chunked", 3..=3, {
            format!("{one}{}{one}", client.call("Transfer-Encoding: chunked\r\n", &in_a_chunk()))
        }),
        Case {
            endless: 1,
            may_find: 2,
            ..case("two requests and half of one", 2..=3, format!("{}{}", one.repeat(2), &one[..one.len() - 5]))
        },
    ]
}
