use std::io::Read;

use encoding_rs::WINDOWS_1252;
use flate2::read::GzDecoder;
use kuraka_sandbox::sample::{COMPANY, ON_BOTH_LISTS};
use kuraka_sandbox::upstream::{Coding, Replacement, Target, Upstream};

use super::client::{Reply, ask, ask_detailed, start};

async fn page(upstream: &Upstream, coding: Coding) -> Reply {
    upstream.fault(&Target::Official, coding, 1);
    ask(upstream, ON_BOTH_LISTS).await.reply()
}

#[tokio::test]
async fn each_charset_fault_is_as_requested() {
    let upstream = start().await;
    let latin = ask(&upstream, ON_BOTH_LISTS).await.reply().body;
    let text = WINDOWS_1252.decode_without_bom_handling(&latin).0.into_owned();
    let utf8 = text.as_bytes().to_vec();
    let twice = WINDOWS_1252.decode_without_bom_handling(&utf8).0.into_owned().into_bytes();
    for (coding, kind, body) in [
        (Coding::Windows1252Declared, "text/html; charset=windows-1252", &latin),
        (Coding::Windows1252AsUtf8, "text/html; charset=utf-8", &latin),
        (Coding::Utf8Declared, "text/html; charset=utf-8", &utf8),
        (Coding::Utf8Undeclared, "text/html", &utf8),
        (Coding::Utf8AsLatin1, "text/html; charset=ISO-8859-1", &utf8),
        (Coding::Utf8Twice, "text/html; charset=utf-8", &twice),
    ] {
        let reply = page(&upstream, coding).await;
        assert_eq!((reply.header("Content-Type"), &reply.body), (Some(kind), body), "{coding:?}");
    }
    let replaced = String::from_utf8(page(&upstream, Coding::Replaced).await.body).unwrap();
    assert!(replaced.contains("Resultado de la B\u{FFFD}squeda"));
}

#[tokio::test]
async fn gzip_is_right_a_bomb_truncated_or_none() {
    const BLANKS: usize = 4 << 20;
    let upstream = start().await;
    let plain = ask(&upstream, ON_BOTH_LISTS).await.reply().body;
    let unzip = |body: &[u8]| {
        let mut bytes = Vec::new();
        GzDecoder::new(body).read_to_end(&mut bytes).map(|_| bytes)
    };
    let reply = page(&upstream, Coding::Gzip).await;
    assert_eq!(reply.header("Content-Encoding"), Some("gzip"));
    assert_eq!(unzip(&reply.body).unwrap(), plain);

    let bomb = page(&upstream, Coding::GzipBomb(BLANKS)).await.body;
    assert!(bomb.len() < BLANKS / 200, "{} bytes", bomb.len());
    assert_eq!(unzip(&bomb).unwrap().len(), plain.len() + BLANKS);

    for broken in [Coding::GzipTruncated, Coding::GzipGarbage] {
        let reply = page(&upstream, broken).await;
        assert_eq!(reply.header("Content-Encoding"), Some("gzip"));
        assert!(unzip(&reply.body).is_err(), "{broken:?}");
    }
}

#[tokio::test]
async fn faults_queue_for_their_target_alone_and_heal() {
    let upstream = start().await;
    upstream.fault(&Target::Official, Replacement::Status(500), 2);
    upstream.fault(&Target::Official, Replacement::Status(503), 1);
    assert_eq!(ask_detailed(&upstream, COMPANY).await.reply().status, 200, "the provider is well");
    let mut statuses = Vec::new();
    for _ in 0..4 {
        statuses.push(ask(&upstream, COMPANY).await.reply().status);
    }
    assert_eq!(statuses, [500, 500, 503, 200]);

    upstream.fault(&Target::Official, Replacement::Status(500), usize::MAX);
    upstream.fault(&Target::Official, Replacement::Status(500), 0);
    assert_eq!(ask(&upstream, COMPANY).await.reply().status, 500);
    upstream.heal();
    assert_eq!(ask(&upstream, COMPANY).await.reply().status, 200);
}
