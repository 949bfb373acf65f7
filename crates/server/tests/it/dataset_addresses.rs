//! From where the server fetches each dataset, as the settings say it.

use kuraka_domain::Date;
use kuraka_registry::dataset::{ALL, DATOS_ABIERTOS, Dataset, PADRON};
use kuraka_server::bootstrap::update_source;
use kuraka_server::settings::{Settings, Values, environment};

/// Settings with these of `datasets`.
fn settings(variables: &[(&str, &str)]) -> Settings {
    let set = variables.iter().map(|(name, text)| (format!("KURAKA__DATASETS__{name}"), (*text).to_owned()));
    let written = environment().source(Some(set.collect()));
    Settings::read(&Values::load_with(None, written, &[]).unwrap()).unwrap()
}

/// The address to try without TLS, if the padrón's address is set to this one.
fn plain(dataset: &Dataset, url: Option<&str>) -> Option<String> {
    let variable = url.map(|url| ("PADRON__URL", url));
    update_source(&settings(variable.as_slice()), dataset).plain_address
}

#[test]
fn only_the_built_in_address_of_the_padron_may_be_fetched_over_http() {
    for dataset in ALL {
        assert!(dataset.address.starts_with("https://"), "{}", dataset.address);
        let expected = (dataset.name == PADRON.name).then(|| PADRON.address.replace("https://", "http://"));
        assert_eq!(plain(dataset, None), expected);
    }
    for set in [PADRON.address, "https://10.0.0.5/padron.zip", ""] {
        assert_eq!(plain(&PADRON, Some(set)), None, "{set:?}");
    }
}

#[test]
fn past_months_are_read_from_publishers_only() {
    let today = Date::new(2026, 11, 24).unwrap();
    let from = |variables: &[(&str, &str)], dataset: &Dataset| {
        settings(variables).datasets.past_months(dataset, today).map(|(_, month)| month.to_string())
    };
    let first = "DATOS_ABIERTOS__BACKFILL_FROM";
    assert_eq!(from(&[], &DATOS_ABIERTOS).as_deref(), Some("2024-11"));
    assert_eq!(from(&[(first, "2023-02")], &DATOS_ABIERTOS).as_deref(), Some("2023-02"));
    for off in [
        (first, "off"),
        ("BUILDER_URL", "http://10.0.0.5:9464/edition"),
        ("DATOS_ABIERTOS__URL", "http://10.0.0.5/one.zip"),
        ("DATOS_ABIERTOS__URL", ""),
    ] {
        assert_eq!(from(&[off], &DATOS_ABIERTOS), None, "{off:?}");
    }
    let other = from(&[("PADRON__URL", "https://10.0.0.5/{AAAAMM}.zip")], &PADRON);
    assert_eq!(other, None, "only the open data has past months");
}
