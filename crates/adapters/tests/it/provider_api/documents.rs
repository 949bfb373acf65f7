//! The documents about provider files, held against what reads them.

use std::fs;
use std::path::Path;

use kuraka_adapters::sources::provider_api::{Field, ProviderSpec, preset};

fn document(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

#[test]
fn the_guides_example_and_its_error_are_right() {
    let guide = document("guides/add-a-provider.md");
    let mut blocks = guide.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let (file, dialect) = (blocks.next().unwrap(), blocks.next().unwrap());
    ProviderSpec::parse("./example.toml", file).unwrap();
    let both = ProviderSpec::parse("./example.toml", &format!("{file}{dialect}")).unwrap();
    assert!(both.dialect().unwrap().find("/v1/ruc/20131312955", "").is_some());
    let spoilt = file.replace("status = \"/result/state\"", "state = \"/result/state\"");
    let error = ProviderSpec::parse("./example.toml", &spoilt).unwrap_err().to_string();
    let (shown, _) = error.split_once(", condition").unwrap();
    assert!(guide.contains(&format!("{shown}, …")), "{shown}");
}

#[test]
fn the_reference_names_every_field() {
    let reference = document("reference/provider-file.md");
    for field in Field::ALL {
        assert!(reference.contains(&format!("`{field}`")), "{field}");
    }
    // The error names every value that a form may have.
    let broken = preset("migo").unwrap().text.replace("{ubigeo}", "{nothing}");
    let error = ProviderSpec::parse("migo", &broken).unwrap_err().to_string();
    let (_, values) = error.split_once("there are ").unwrap();
    for value in values.split(", ") {
        assert!(reference.contains(&format!("`{value}`")), "{value}");
    }
}
