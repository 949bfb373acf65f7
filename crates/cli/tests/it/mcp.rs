//! `kuraka mcp`: an agent over standard input and output.

use std::fs;
use std::net::TcpListener;

use kuraka_sandbox::sample;
use serde_json::{Value, json};

use super::files::next_day;
use super::program::{Home, today};

/// The messages of a client that calls two tools.
fn messages() -> String {
    let voucher = json!({"ruc_emisor": sample::COMPANY, "codigo_tipo_documento": "01", "serie_documento": "F001",
        "numero_documento": "1", "fecha_de_emision": "2026-01-15", "total": 118});
    let call = |id: u8, name: &str, arguments: Value| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": arguments}});
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        call(2, "consultar_ruc", json!({"ruc": sample::COMPANY})),
        call(3, "validar_comprobante", voucher),
        json!({"jsonrpc": "2.0", "id": 4, "method": "server/discover", "params": {"_meta": meta}}),
        json!([call(5, "consultar_ruc", json!({"ruc": sample::COMPANY})), {"jsonrpc": "2.0", "id": 6, "method": "ping"}]),
    ];
    lines.map(|line| line.to_string() + "\n").concat() + "nonsense\n"
}

fn answers(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn local_data_answer_an_agent_without_a_source_or_a_credential() {
    let home = Home::new();
    home.import(sample::PADRON);
    home.import(&next_day());
    fs::remove_file(home.data("kuraka.db")).unwrap();
    // A server would make the history anew.
    let history = home.data("registry/padron/history.aside");
    fs::rename(home.data("registry/padron/history.kuraka-history"), &history).unwrap();
    // Nothing may connect to it.
    let source = TcpListener::bind("127.0.0.1:0").unwrap();
    source.set_nonblocking(true).unwrap();
    let address = format!("http://{}", source.local_addr().unwrap());
    let sources = [
        ("KURAKA__OFFICIAL__URL", &*address),
        ("KURAKA__VOUCHERS__TOKEN_URL", &address),
        ("KURAKA__VOUCHERS__API_URL", &address),
        ("KURAKA__VOUCHERS__RUC", "20100119227"),
        ("KURAKA__VOUCHERS__CLIENT_ID", "54f1fd57-0ad8-4cd8-8a2c-e9ba1e1d3a4f"),
        ("KURAKA__VOUCHERS__CLIENT_SECRET", "secret"),
        ("KURAKA__DATASETS__PADRON__URL", &address),
    ];
    let finished = home.run_with(&["mcp"], &sources, &messages());
    let out = finished.succeeded();
    let [hello, found, voucher, discovered, array, wrong] = &answers(&out)[..] else { panic!("{out}") };
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(found["result"]["structuredContent"]["data"]["ruc"], sample::COMPANY);
    assert_eq!(found["result"]["structuredContent"]["fecha"], today());
    assert_eq!((&voucher["id"], &voucher["result"]["isError"]), (&json!(3), &json!(true)));
    assert_eq!(discovered["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(array[0]["result"]["structuredContent"]["code"], "found");
    assert_eq!(array[1], json!({"jsonrpc": "2.0", "id": 6, "result": {}}));
    assert_eq!(wrong["error"]["code"], -32700);
    assert!(source.accept().is_err(), "a source was called");
    assert!(!home.data("kuraka.db").exists(), "a store was made in the data folder");
    assert!(history.exists() && !home.data("registry/padron/history.kuraka-history").exists(), "the data were changed");
    let folder = home.data("").to_str().unwrap().to_owned();
    let elsewhere = Home::new();
    let out = elsewhere.run_with(&["mcp", "--data-dir", &folder], &[("KURAKA_URL", &address)], &messages()).succeeded();
    assert_eq!(answers(&out)[1]["result"]["structuredContent"]["data"]["ruc"], sample::COMPANY);
    assert!(elsewhere.run(&["mcp"]).failed().starts_with("there is no edition of the padrón"));
}

#[test]
fn a_server_answers_an_agent_and_a_refused_token_is_an_error_of_each_message() {
    let home = Home::new();
    let (serving, token) = home.serve_sample("ana@example.pe");
    let address = format!("http://{}", serving.api);
    let run = |token: &str| home.run_with(&["mcp"], &[("KURAKA_URL", &address), ("KURAKA_TOKEN", token)], &messages());
    let out = run(&token).succeeded();
    assert_eq!(answers(&out)[1]["result"]["structuredContent"]["data"]["ruc"], sample::COMPANY, "{out}");
    let out = run("kur_wrong").succeeded();
    let refused = answers(&out);
    assert_eq!(refused.len(), 6, "{out}");
    assert!(refused[0]["error"]["message"].as_str().unwrap().contains("token"), "{out}");
    let none = home.run_with(&["mcp"], &[("KURAKA_URL", &address)], "").failed();
    assert!(none.contains("KURAKA_TOKEN"), "{none}");
    serving.stop();
    let out = run(&token).succeeded();
    assert_eq!(answers(&out)[0]["error"]["code"], -32000, "{out}");
}
