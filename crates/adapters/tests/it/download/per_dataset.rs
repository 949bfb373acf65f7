//! How long a download may take and how large a file may be, for each dataset.

use std::time::Duration;

use kuraka_adapters::download::{DownloadError, DownloadLimits, Downloader, USER_AGENT};
use kuraka_registry::dataset::{ANEXOS, BUENOS_CONTRIBUYENTES, DATOS_ABIERTOS, RETENCION, SSCO};

use super::{Target, fetch, fetch_from_nowhere};
use crate::http::client;
use crate::script::{Server, answer};

const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test(start_paused = true)]
async fn a_small_file_is_given_up_after_minutes() {
    let hour = 60 * MINUTE;
    for (dataset, most, total) in [
        (&RETENCION, hour, 10 * MINUTE),
        (&BUENOS_CONTRIBUYENTES, hour, 10 * MINUTE),
        (&SSCO, hour, 10 * MINUTE),
        (&SSCO, 2 * MINUTE, 2 * MINUTE),
        (&ANEXOS, hour, hour),
        (&DATOS_ABIERTOS, hour, hour),
    ] {
        let limits = DownloadLimits { attempts: u32::MAX, total: most, ..DownloadLimits::default() };
        let (took, error) = fetch_from_nowhere(limits, Some(dataset)).await;
        assert!(matches!(error, DownloadError::Transfer { .. }), "{error:?}");
        // The next wait, of a minute at most, would have ended too late.
        assert!((total - MINUTE..total + Duration::from_secs(1)).contains(&took), "{}: {took:?}", dataset.name);
    }
}

#[tokio::test]
async fn the_lower_limit_of_a_files_size_counts() {
    let limits = DownloadLimits::default();
    for (dataset, most) in
        [(&ANEXOS, ANEXOS.limits.text), (&SSCO, SSCO.limits.text), (&DATOS_ABIERTOS, limits.max_bytes)]
    {
        let announced = format!("Content-Length: {}", 1_u64 << 50);
        let server = Server::start([answer("200 OK", &[&announced], "")]);
        let downloader = Downloader::new(client(USER_AGENT), limits).for_dataset(dataset);
        let error = fetch(&downloader, &server.url, &Target::new()).await.unwrap_err();
        let DownloadError::TooLarge { limit, .. } = error else { panic!("{}: {error:?}", dataset.name) };
        assert_eq!(limit, most, "{}", dataset.name);
    }
}
