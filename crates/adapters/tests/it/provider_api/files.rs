//! Provider files that are refused, each with its line and a word on what to do.

use kuraka_adapters::sources::provider_api::ProviderSpec;

const GOOD: &str = r#"[request]
method = "GET"
url = "https://api.example.pe/ruc/{ruc}"
token = { in = "header", name = "Authorization", prefix = "Bearer " }

[answer]
found = { "/ok" = true }
not_found = [{ status = 404, "/error" = ["no existe", "sin datos"] }]

[fields]
ruc = "/ruc"
name = ["/name", "/nombre"]
status = "/status"
condition = "/condition"
trade_name = { at = "/trade", nullable = true }

[sample.found]
status = 200
body = '{"ok":true,"ruc":"20131312955","nombre":"SUNAT","status":"ACTIVO","condition":"HABIDO","trade":null}'

[sample.not_found]
status = 404
body = '{"error":"Sin datos."}'
"#;

/// The refusal of the good file with one text in place of another.
fn refusal(old: &str, new: &str) -> String {
    assert_eq!(GOOD.matches(old).count(), 1, "{old}");
    match ProviderSpec::parse("mine.toml", &GOOD.replace(old, new)) {
        Ok(_) => panic!("{new} is understood"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_good_file_is_good() {
    ProviderSpec::parse("mine.toml", GOOD).unwrap();
    let address = "http://127.0.0.1:80/x?numero={ruc}&a=b";
    let file = GOOD.replace("https://api.example.pe/ruc/{ruc}", address);
    assert_eq!(ProviderSpec::parse("mine.toml", &file).unwrap().address(), address);
}

#[test]
fn an_error_names_file_line_and_remedy() {
    let cases = [
        // Request.
        ("\"GET\"", "\"PATCH\"", 2, "GET and POST"),
        ("https://api.example.pe/ruc/{ruc}", "api.example.pe/{ruc}", 3, "whole address"),
        ("https://api.example.pe/ruc/{ruc}", "/ruc/{ruc}", 3, "whole address"),
        ("https://api.example.pe/ruc/{ruc}", "ftp://a.pe/{ruc}", 3, "neither http nor https"),
        ("https://api.example.pe/ruc/{ruc}", "https://{ruc}.a.pe/", 3, "{ruc} in the host"),
        ("https://api.example.pe/ruc/{ruc}", "https://me:secret@a.pe/{ruc}", 3, "a user or a password"),
        ("https://api.example.pe/ruc/{ruc}", "https://a.pe/{RUC}", 3, "something else than {ruc}"),
        ("https://api.example.pe/ruc/{ruc}", "https://api.example.pe/ruc", 3, "write {ruc}"),
        ("/ruc/{ruc}", "/ruc/{ruc}?t={token}", 3, "the token has a place of its own"),
        ("in = \"header\"", "in = \"cookie\"", 4, "\"header\", \"query\" or \"body\""),
        ("in = \"header\"", "in = \"query\"", 4, "only a token in a header has a prefix"),
        ("\"Authorization\"", "\"two words\"", 4, "HTTP allows"),
        ("method = \"GET\"", "method = \"GET\"\nbody = { a = \"b\" }", 3, "use POST"),
        ("method = \"GET\"", "method = \"GET\"\nverb = \"GET\"", 3, "unknown field `verb`"),
        ("method = \"GET\"\n", "", 1, "missing field `method`"),
        // Rules.
        ("found = { \"/ok\" = true }", "found = { \"ok\" = true }", 7, "not a JSON pointer"),
        ("found = { \"/ok\" = true }", "found = { \"/ok\" = 1.5 }", 7, "true, false, a whole number"),
        ("{ status = 404, \"/error\" = [\"no existe\", \"sin datos\"] }", "{}", 8, "hold for every answer"),
        ("status = 404, \"/error\" = [\"no existe\", \"sin datos\"]", "status = 200", 8, "does not exist"),
        ("status = 404, \"/error\"", "status = 503, \"/error\"", 8, "never reaches a rule"),
        ("status = 404, \"/error\"", "status = \"404\", \"/error\"", 8, "a number from 200 to 599"),
        ("not_found = [", "absent = [", 8, "unknown field `absent`"),
        // Fields.
        ("ruc = \"/ruc\"", "number = \"/ruc\"", 11, "the record has no field \"number\""),
        ("status = \"/status\"\n", "", 10, "lacks status"),
        ("[\"/name\", \"/nombre\"]", "[\"/name\", \"nombre\"]", 12, "\"nombre\" is not a JSON pointer"),
        ("\"/nombre\"", "\"\"", 12, "\"\" is not a JSON pointer"),
        ("\"/nombre\"", "\"data/nombre\"", 12, "\"data/nombre\" is not a JSON pointer"),
        ("\"/nombre\"", "\"#/nombre\"", 12, "\"#/nombre\" is not a JSON pointer"),
        ("\"/nombre\"", "\"/a~b\"", 12, "\"/a~b\" is not a JSON pointer"),
        ("\"/nombre\"", "\"/a~\"", 12, "\"/a~\" is not a JSON pointer"),
        ("\"/nombre\"", "\"$.nombre\"", 12, "\"$.nombre\" is not a JSON pointer"),
        ("[\"/name\", \"/nombre\"]", "[]", 12, "takes a pointer"),
        ("condition = \"/condition\"", "condition = 7", 14, "takes a pointer"),
        (
            "condition = \"/condition\"",
            "condition = { at = \"/condition\", nullable = true }",
            14,
            "cannot be nullable",
        ),
        ("nullable = true", "null = true", 15, "nullable = true"),
        ("\n[sample.found]", "address = \"/a\"\n\n[sample.found]", 10, "not district: give all of address"),
        ("\n[sample.found]", "\n[optional]\nname = \"/n\"\n\n[sample.found]", 18, "in both [fields] and [optional]"),
        // Samples.
        ("\"ok\":true", "\"ok\":false", 19, "no rule in the provider file matches"),
        ("\"nombre\":\"SUNAT\"", "\"names\":\"SUNAT\"", 19, "the field name is not at /name or /nombre"),
        ("20131312955", "20131312956", 19, "check digit"),
        ("Sin datos.", "Error.", 23, "the sample not_found is not read as not_found"),
        // Not TOML at all.
        ("[answer]", "[answer", 6, ""),
    ];
    for (old, new, line, part) in cases {
        let told = refusal(old, new);
        assert!(told.starts_with(&format!("mine.toml:{line}: ")), "{new}: {told}");
        assert!(told.contains(part), "{new}: {told}");
    }
}

#[test]
fn a_file_without_fields_is_refused() {
    let error =
        ProviderSpec::parse("mine.toml", "[request]\nmethod = \"GET\"\nurl = \"https://a.pe/{ruc}\"\n").unwrap_err();
    assert!(error.to_string().contains("missing field `fields`"), "{error}");
    assert!(ProviderSpec::parse("mine.toml", "").is_err());
}
