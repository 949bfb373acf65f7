//! Any bytes as SUNAT's page: a record is about the requested RUC and complete, an absence names the RUC, and the same
//! bytes say nothing about another RUC.

#![no_main]

mod asked;

use kuraka_adapters::sources::sunat_portal::read;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let ruc = asked::asked(body);
    for content_type in [None, Some("text/html;charset=UTF-8"), Some("text/html;charset=ISO-8859-1")] {
        match read(body, content_type, ruc) {
            Ok(Some(record)) => {
                assert_eq!(record.ruc, ruc);
                assert!(!record.name.is_empty() && !record.taxpayer_type.is_empty(), "{record:?}");
                assert!(
                    !record.status.to_string().is_empty() && !record.condition.to_string().is_empty(),
                    "{record:?}"
                );
                let texts = [&record.name, &record.full_address, &record.trade_name, &record.taxpayer_type];
                assert!(texts.iter().all(|text| !text.contains(['<', '\n', '\u{fffd}']) && text.trim() == **text));
            }
            Ok(None) => {
                let text = String::from_utf8_lossy(body).to_lowercase();
                assert!(text.contains(&ruc.to_string()) && text.contains("<strong"), "an absence without its sentence");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        assert!(read(body, content_type, asked::another(ruc)).is_err(), "the page is about {ruc} only");
    }
});
