//! `/mcp`: the protocol's messages, and the tools, which are calls of the operations.

use std::sync::LazyLock;

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::app::{App, Owner, scene};
use crate::json_schema::JsonSchema;
use crate::request::Request;
use crate::sandbox::claim;
use crate::shared::shared;

const META: &str = "io.modelcontextprotocol";

/// What each message without a handshake has.
static STATED: LazyLock<Value> = LazyLock::new(|| {
    json!({
        format!("{META}/protocolVersion"): "2026-07-28",
        format!("{META}/clientCapabilities"): {},
    })
});

fn message(app: &App, owner: &Owner, body: &Value) -> Request {
    app.post("/mcp").token(&owner.token).json(body.to_string())
}

async fn call(app: &App, owner: &Owner, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let answer = message(app, owner, &json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}));
    let answer = answer.send().await;
    assert_eq!((answer.status, answer.json()["id"].as_i64()), (200, Some(7)), "{answer:?}");
    answer.json()["result"].clone()
}

async fn tools(app: &App, owner: &Owner) -> Vec<Value> {
    let list = message(app, owner, &json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})).send().await;
    list.json()["result"]["tools"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_message_without_a_token_is_401_before_anything_of_the_protocol() {
    let (app, _) = shared().await;
    for body in ["", "nonsense", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#] {
        let answer = app.post("/mcp").json(body).send().await;
        answer.refused("unauthenticated");
        assert!(answer.must("www-authenticate").starts_with("Bearer"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_methods_and_large_bodies_are_refused() {
    let (app, owner) = shared().await;
    for method in ["GET", "DELETE", "PUT"] {
        let answer = app.request(method, "/mcp").token(&owner.token).send().await;
        answer.refused("method_not_allowed");
        assert_eq!(answer.must("allow"), "POST");
    }
    let large = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "x".repeat(16 * 1024)}});
    message(app, &owner, &large).send().await.refused("payload_too_large");
    app.post("/mcp")
        .token(&owner.token)
        .header("Content-Type", "text/plain")
        .body("{}")
        .send()
        .await
        .refused("unsupported_media_type");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_client_with_a_handshake_gets_its_revision_or_the_newest() {
    let (app, owner) = shared().await;
    for (asked, agreed) in [
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2024-11-05", "2025-11-25"),
        ("2026-07-28", "2025-11-25"),
    ] {
        let params = json!({"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}});
        let body = json!({"jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params});
        let answer = message(app, &owner, &body).send().await;
        let result = &answer.json()["result"];
        assert_eq!(result["protocolVersion"], agreed, "{answer:?}");
        assert_eq!(result["serverInfo"]["name"], "kuraka");
        assert!(result["capabilities"]["tools"].is_object());
        assert_eq!(answer.header("mcp-session-id"), None);
    }
    let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let answer = message(app, &owner, &initialized).send().await;
    assert_eq!((answer.status, answer.body.as_str(), answer.must("content-length")), (202, "", "0"));
    let ping = json!({"jsonrpc": "2.0", "id": 2, "method": "ping"});
    let answer = message(app, &owner, &ping).header("MCP-Protocol-Version", "2025-06-18").send().await;
    assert_eq!(answer.json(), json!({"jsonrpc": "2.0", "id": 2, "result": {}}));
}

/// Status, code and id of an error.
fn error(answer: &Answer) -> (u16, i64, Value) {
    let body = answer.json();
    (answer.status, body["error"]["code"].as_i64().unwrap_or_else(|| panic!("{answer:?}")), body["id"].clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_wrong_message_is_refused_with_its_code() {
    let (app, owner) = shared().await;
    for (body, code, id) in [
        ("nonsense", -32700, Value::Null),
        ("{", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("7", -32600, Value::Null),
        (r#"{"id":1,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":7}"#, -32602, json!(1)),
    ] {
        let answer = app.post("/mcp").token(&owner.token).json(body).send().await;
        assert_eq!(error(&answer), (400, code, id), "{body}");
    }
    // Of a client with a handshake, which reads errors from answers 200.
    for (method, params, code) in [
        ("server/discover", json!({}), -32601),
        ("resources/list", json!({}), -32601),
        ("tools/call", json!({"name": "borrar_todo"}), -32602),
        ("tools/call", json!({}), -32602),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params});
        assert_eq!(error(&message(app, &owner, &body).send().await), (200, code, json!("a")), "{body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn without_a_handshake_fields_and_headers_say_the_same() {
    let (app, owner) = shared().await;
    let stated = &*STATED;
    let without = |name: &str| {
        let mut meta = stated.clone();
        meta.as_object_mut().unwrap().remove(&format!("{META}/{name}"));
        meta
    };
    let of_version = |version: &str| {
        let mut meta = stated.clone();
        meta[format!("{META}/protocolVersion")] = version.into();
        meta
    };
    let current = Some("2026-07-28");
    let cases = [
        // The method, `_meta`, the headers of version, method and name, and the answer's status and code.
        ("server/discover", stated.clone(), [current, Some("server/discover"), None], (200, 0)),
        ("tools/list", stated.clone(), [current, Some(" tools/list "), None], (200, 0)),
        ("server/discover", json!({}), [current, Some("server/discover"), None], (400, -32602)),
        ("server/discover", without("protocolVersion"), [current, Some("server/discover"), None], (400, -32602)),
        ("server/discover", without("clientCapabilities"), [current, Some("server/discover"), None], (400, -32602)),
        ("server/discover", stated.clone(), [None, Some("server/discover"), None], (400, -32020)),
        ("server/discover", stated.clone(), [Some("2025-11-25"), Some("server/discover"), None], (400, -32020)),
        ("server/discover", of_version("v9"), [Some("v9"), Some("server/discover"), None], (400, -32022)),
        ("server/discover", of_version("v9"), [current, Some("server/discover"), None], (400, -32020)),
        ("tools/list", stated.clone(), [current, None, None], (400, -32020)),
        ("tools/list", stated.clone(), [current, Some("TOOLS/LIST"), None], (400, -32020)),
        ("tools/call", stated.clone(), [current, Some("tools/call"), None], (400, -32020)),
        ("tools/call", stated.clone(), [current, Some("tools/call"), Some("buscar_empresa")], (400, -32020)),
        ("tools/call", stated.clone(), [current, Some("tools/call"), Some("consultar_ruc")], (200, 0)),
        ("initialize", stated.clone(), [current, Some("initialize"), None], (404, -32601)),
        ("ping", stated.clone(), [current, Some("ping"), None], (404, -32601)),
    ];
    for (method, meta, headers, (status, code)) in cases {
        let mut params = json!({"_meta": meta});
        if method == "tools/call" {
            params["name"] = "consultar_ruc".into();
            params["arguments"] = json!({"ruc": sample::COMPANY});
        }
        let body = json!({"jsonrpc": "2.0", "id": 3, "method": method, "params": params});
        let mut request = message(app, &owner, &body);
        for (name, value) in ["MCP-Protocol-Version", "Mcp-Method", "mcp-name"].into_iter().zip(headers) {
            request = value.into_iter().fold(request, |request, value| request.header(name, value));
        }
        let answer = request.send().await;
        let found = answer.json();
        assert_eq!((answer.status, found["error"]["code"].as_i64().unwrap_or(0)), (status, code), "{body} {headers:?}");
        assert_eq!(found["id"], 3, "{answer:?}");
        if status == 200 {
            assert_eq!(found["result"]["resultType"], "complete", "{answer:?}");
        }
        if code == -32022 {
            assert_eq!(found["error"]["data"], json!({"supported": ["2026-07-28"], "requested": "v9"}));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_tool_says_when_to_call_it_and_what_it_answers() {
    let (app, owner) = shared().await;
    let tools = tools(app, &owner).await;
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = ["consultar_ruc", "buscar_empresa", "validar_comprobante", "consultar_lista", "tipo_de_cambio"];
    assert_eq!(names, expected);
    for tool in &tools {
        let description = tool["description"].as_str().unwrap();
        assert!(description.contains("Úsela") && description.contains("No "), "{description}");
        assert!(!tool["title"].as_str().unwrap().is_empty());
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["annotations"]["idempotentHint"], true);
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object");
            JsonSchema::new(tool[schema].clone());
            assert!(!tool[schema].to_string().contains("#/components"), "{tool}");
        }
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].is_string(), "{name}: {property}");
        }
    }
    assert_eq!(tools[3]["inputSchema"]["properties"]["rucs"]["maxItems"], 100);
    assert_eq!(tools[2]["inputSchema"]["required"].as_array().unwrap().len(), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_call_of_a_tool_has_the_answer_of_the_operation_with_edition_day_and_what_an_absence_proves() {
    let (app, owner) = shared().await;
    let tools = tools(app, &owner).await;
    // The tax authority does not have this one, which proves nothing.
    let mut voucher = claim(VOUCHERS.iter().find(|known| known.about == "accepted").unwrap());
    voucher["numero_documento"] = "999".into();
    // The tool, its arguments, the code, whether an absence is proved, and whether it is an error.
    for (tool, arguments, code, is_absent, is_error) in [
        ("consultar_ruc", json!({"ruc": sample::COMPANY}), "found", false, false),
        ("consultar_ruc", json!({"ruc": sample::DESCRIBED, "ficha": true}), "found", false, false),
        ("consultar_ruc", json!({"ruc": sample::DESCRIBED, "ficha": false, "fecha": null}), "found", false, false),
        ("consultar_ruc", json!({"ruc": sample::ABSENT}), "document_not_found", true, false),
        ("consultar_ruc", json!({"ruc": sample::BAD_CHECK_DIGIT}), "invalid_input", false, true),
        ("consultar_ruc", json!({}), "invalid_input", false, true),
        ("consultar_ruc", json!({"ruc": sample::COMPANY, "ficha": "si"}), "invalid_input", false, true),
        ("consultar_ruc", json!({"ruc": sample::COMPANY, "fecha": "1990-01-01"}), "date_not_covered", false, true),
        ("buscar_empresa", json!({"nombre": "molinos valle"}), "found", false, false),
        ("buscar_empresa", json!({"nombre": "xx yy zz"}), "found", false, false),
        ("validar_comprobante", voucher, "found", false, false),
        ("consultar_lista", json!({"rucs": [sample::COMPANY, sample::ABSENT]}), "found", false, false),
        ("consultar_lista", json!({"rucs": vec![sample::COMPANY; 100]}), "found", false, false),
        ("consultar_lista", json!({"rucs": vec![sample::COMPANY; 101]}), "invalid_input", false, true),
        ("consultar_lista", json!({"rucs": []}), "invalid_input", false, true),
        ("tipo_de_cambio", json!({"fecha": "2026-09-06"}), "found", false, false),
        ("tipo_de_cambio", json!({"mes": "2026-09"}), "found", false, false),
        ("tipo_de_cambio", json!({"fecha": "3000-01-01"}), "invalid_input", false, true),
        ("validar_comprobante", json!({"ruc_emisor": sample::COMPANY}), "invalid_input", false, true),
    ] {
        let result = call(app, &owner, tool, arguments.clone()).await;
        let structured = &result["structuredContent"];
        assert_eq!(structured["code"], code, "{tool} {arguments}: {result}");
        assert_eq!(
            (&structured["ausencia_probada"], &result["isError"]),
            (&json!(is_absent), &json!(is_error)),
            "{result}"
        );
        let schema = tools.iter().find(|it| it["name"] == tool).unwrap()["outputSchema"].clone();
        assert_eq!(JsonSchema::new(schema).check(structured), Ok(()), "{tool} {arguments}");
        let written = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(&serde_json::from_str::<Value>(written).unwrap(), structured);
        assert_eq!(written.contains(r#""compra":3.360,"#), tool == "tipo_de_cambio" && code == "found", "{written}");
        // A voucher is asked about at this moment.
        if tool != "validar_comprobante" && (code == "found" || is_absent) {
            let edition = structured["edicion"].as_str().unwrap_or_else(|| panic!("{result}"));
            assert_eq!(structured["fecha"], edition[..10]);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_call_of_a_tool_is_charged_and_counted_as_the_operation() {
    let (app, owner) = scene().plan(3, 1000, 1000).start_with_owner().await;
    call(&app, &owner, "consultar_lista", json!({"rucs": [sample::COMPANY, sample::ABSENT]})).await;
    call(&app, &owner, "consultar_lista", json!({"rucs": vec![sample::COMPANY; 101]})).await;
    call(&app, &owner, "consultar_ruc", json!({"ruc": sample::COMPANY})).await;
    tools(&app, &owner).await;
    let refused = call(&app, &owner, "consultar_ruc", json!({"ruc": sample::COMPANY})).await;
    assert_eq!(refused["structuredContent"]["code"], "quota_exceeded", "{refused}");
    let usage = app.request("GET", "/usage").token(&owner.token).send().await.found();
    assert_eq!(usage["consultas"]["usadas"], 3, "{usage}");
    let metrics = app.admin("/metrics").send().await.body;
    for line in [
        r#"kuraka_queries_charged_total{operation="ruc-multiple"} 2"#,
        r#"kuraka_queries_charged_total{operation="ruc"} 1"#,
        r#"kuraka_queries_charged_total{operation="mcp"} 0"#,
        r#"kuraka_answers_total{operation="ruc",code="quota_exceeded"} 1"#,
        r#"kuraka_answers_total{operation="mcp",code="found"} 5"#,
    ] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn each_message_of_a_batch_is_answered_charged_and_limited_as_alone() {
    let (app, owner) = scene().plan(2, 1, 6).start_with_owner().await;
    let call = |id: u32, ruc: &str| {
        let params = json!({"name": "consultar_ruc", "arguments": {"ruc": ruc}});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let ping = json!({"jsonrpc": "2.0", "id": "p", "method": "ping"});
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
    let batch = json!([call(1, sample::COMPANY), notice, call(2, sample::ABSENT), call(3, sample::COMPANY), 7, ping]);
    let answer = message(&app, &owner, &batch).send().await;
    let answers = answer.json();
    let code = |index: usize| answers[index]["result"]["structuredContent"]["code"].clone();
    assert_eq!((answer.status, answers.as_array().unwrap().len()), (200, 5), "{answers}");
    assert_eq!([code(0), code(1), code(2)], ["found", "document_not_found", "quota_exceeded"], "{answers}");
    assert_eq!((&answers[3]["error"]["code"], &answers[3]["id"]), (&json!(-32600), &Value::Null), "{answers}");
    assert_eq!(answers[4], json!({"jsonrpc": "2.0", "id": "p", "result": {}}));
    // The six messages have used up the rate.
    let limited = message(&app, &owner, &json!([ping])).send().await.json();
    assert_eq!((&limited[0]["id"], &limited[0]["error"]["code"]), (&json!("p"), &json!(-32000)), "{limited}");
    assert_eq!(limited[0]["error"]["data"]["code"], "rate_limited");
    assert!(limited[0]["error"]["data"]["retry_after"].as_u64() >= Some(1), "{limited}");
    let unanswered = message(&app, &owner, &json!([notice])).send().await;
    assert_eq!((unanswered.status, &*unanswered.body), (202, ""), "a notification beyond the rate");
    assert_eq!(app.used(&owner).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn one_revision_takes_batches_of_a_bounded_size() {
    let (app, owner) = shared().await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let notice = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let send = async |batch: &Value, version: Option<&str>| {
        let request = message(app, &owner, batch);
        version.into_iter().fold(request, |request, it| request.header("MCP-Protocol-Version", it)).send().await
    };
    let only_notices = send(&json!([notice, notice]), None).await;
    assert_eq!((only_notices.status, only_notices.body.as_str()), (202, ""));
    assert_eq!(send(&json!(vec![&ping; 10]), Some("2025-03-26")).await.json().as_array().unwrap().len(), 10);
    for version in ["2025-06-18", "2025-11-25", "2026-07-28"] {
        assert_eq!(error(&send(&json!([ping]), Some(version)).await), (400, -32600, Value::Null), "{version}");
    }
    let initialize = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}});
    for refused in [json!([]), json!(vec![&ping; 11]), json!([[ping]]), json!([ping, initialize])] {
        assert_eq!(error(&send(&refused, None).await), (400, -32600, Value::Null), "{refused}");
    }
    let broken = app.post("/mcp").token(&owner.token).json("[{").send().await;
    assert_eq!(error(&broken), (400, -32700, Value::Null));
}
