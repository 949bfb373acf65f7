//! The checksum that a file must have.

use kuraka_adapters::datasets::update::{UpdateError, UpdateSource};
use kuraka_registry::ImportError;
use sha2::{Digest, Sha256};

use super::{Updated, conditions, homes, missing, published, tag, unchanged};
use crate::script::{Answer, Server, answer};

impl super::Home {
    /// Updates to a file that must have the checksum at this address.
    async fn verified(&self, server: &Server, sums: &Server, force: bool) -> Updated {
        self.run(UpdateSource { sha256_url: Some(sums.url.clone()), ..self.source(&server.url) }, force).await
    }
}

/// The line that `sha256sum` prints about a file.
fn sum(file: &[u8]) -> String {
    let digits: String = Sha256::digest(file).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}  file\n")
}

fn text(text: &str) -> Answer {
    answer("200 OK", &[&format!("Content-Length: {}", text.len())], text)
}

#[tokio::test]
async fn a_required_checksum_is_fetched_before_the_file() {
    for home in homes() {
        let (first, second) = (home.file(3), home.file(4));
        let (right, wrong) = (sum(&second), format!("{}  file\n", "0".repeat(64)));
        let newer = || published("b", &second);
        let server = Server::start([published("a", &first), unchanged(), newer(), newer(), newer()]);
        let malformed = ["<html>404</html>", "", &right.repeat(2), &right[1..]];
        let sums = [&*sum(&first), &*sum(&first), &*wrong, &*wrong, &*wrong, &*wrong].map(text);
        let sums = Server::start(sums.into_iter().chain(malformed.map(text)).chain([missing(), text(&right)]));
        assert_eq!(home.verified(&server, &sums, false).await.unwrap().unwrap().rows, 3);
        assert!(home.verified(&server, &sums, false).await.unwrap().is_none());
        for force in [false, true] {
            let error = home.verified(&server, &sums, force).await.unwrap_err();
            assert!(
                matches!(error, UpdateError::Import(ImportError::Checksum { .. })) && error.may_pass(),
                "{error:?}"
            );
            assert!(home.failure().contains(&"0".repeat(64)), "{}", home.failure());
            home.assert_no_download();
        }
        for _ in malformed {
            let error = home.verified(&server, &sums, false).await.unwrap_err();
            assert!(matches!(error, UpdateError::NoChecksum { .. }) && !error.may_pass(), "{error:?}");
        }
        let error = home.verified(&server, &sums, false).await.unwrap_err();
        assert!(matches!(error, UpdateError::Checksum { .. }) && home.failure().contains("404"), "{error:?}");
        assert_eq!(conditions(&server), [None, tag("a"), None, None], "without a checksum the file is not requested");
        assert_eq!(home.current().meta().rows, 3, "the previous edition stays");
        assert_eq!(home.verified(&server, &sums, false).await.unwrap().unwrap().rows, 4);
        assert_eq!(sums.asked().len(), 12, "asked again after a mismatch, because both may have been replaced");
    }
}

#[tokio::test]
async fn a_newly_required_checksum_is_compared_with_the_unchanged_file() {
    for home in homes() {
        let first = home.file(3);
        let (right, wrong) = (sum(&first), format!("{}  file\n", "0".repeat(64)));
        let whole = || published("a", &first);
        let server = Server::start([whole(), whole(), whole(), unchanged(), unchanged()]);
        let sums = Server::start([&wrong, &wrong, &right, &right].map(|sum| text(sum)));
        assert!(home.update(&server.url).await.unwrap().is_some());
        let error = home.verified(&server, &sums, false).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Checksum { .. })), "{error:?}");
        assert!(home.verified(&server, &sums, false).await.unwrap().is_some());
        assert!(home.verified(&server, &sums, false).await.unwrap().is_none());
        assert!(home.update(&server.url).await.unwrap().is_none(), "none is required any more");
        assert_eq!(conditions(&server), [None, None, None, tag("a"), tag("a")]);
    }
}

#[tokio::test]
async fn a_file_that_is_replaced_between_the_two_requests_is_published() {
    for home in homes() {
        let (first, second) = (home.file(3), home.file(4));
        let server = Server::start([published("b", &second), published("b", &second)]);
        let sums = Server::start([&first, &second].map(|file| text(&sum(file))));
        assert_eq!(home.verified(&server, &sums, false).await.unwrap().unwrap().rows, 4);
    }
}
