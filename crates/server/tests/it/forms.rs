//! Lists in HTML forms, as they are sent to paths of the original interface: fields in one text (`a[]`, `a[0]`,
//! `a[0][b]`), and in parts.

use std::sync::Arc;

use actix_http::Request;
use actix_web::body::BoxBody;
use actix_web::dev::{Service, ServiceResponse};
use actix_web::{Error, test};
use kuraka_adapters::clock::SystemClock;
use kuraka_ports::fake::MemoryStore;
use serde_json::Value;

use super::served::served;
use super::test_api::{api, registry};

const FORM: &str = "application/x-www-form-urlencoded";
const IN_PARTS: &str = "multipart/form-data; boundary=\"----a b\"";
/// Fields of a form, or of a list's item.
const MAX_FIELDS: usize = 512;

/// The operations, and the value of the header with a token for them.
async fn app() -> (impl Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>, String) {
    let (api, token) = api(Arc::new(MemoryStore::new()), Arc::new(SystemClock::start()), registry([])).await;
    (test::init_service(served(api)).await, format!("Bearer {}", token.reveal()))
}

/// The items of the list `rucs` as the answer repeats them, each with its field `fecha`, or the message of a refusal.
async fn read<S>((app, token): &(S, String), media_type: &str, body: String) -> Result<Vec<String>, String>
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    let request = test::TestRequest::post().uri("/api/ruc-multiple").insert_header(("Content-Type", media_type));
    let request = request.insert_header(("Authorization", token.as_str())).set_payload(body);
    let response = test::call_service(app, request.to_request()).await;
    let (status, envelope): (_, Value) = (response.status(), test::read_body_json(response).await);
    if status != 200 {
        assert_eq!((status.as_u16(), &envelope["code"]), (400, &"invalid_input".into()), "{envelope}");
        return Err(envelope["message"].as_str().unwrap().to_owned());
    }
    let item = |item: &Value| {
        let texts = ["ruc", "fecha"].into_iter().filter_map(|field| item[field].as_str());
        texts.collect::<Vec<_>>().join(" ")
    };
    Ok(envelope["data"]["resultados"].as_array().unwrap().iter().map(item).collect())
}

#[actix_web::test]
async fn lists_are_read_in_any_order_of_keys() {
    let app = app().await;
    for (form, expected) in [
        ("rucs[]=x&b=1&rucs[]=y&ficha=&c", &["x", "y"][..]),
        ("rucs[1]=y&rucs[0]=x", &["x", "y"]),
        ("rucs[0]=x&rucs[]=y", &["x", "y"]),
        ("rucs%5B1%5D%5Bfecha%5D=3&rucs[0][ruc]=2&z=&rucs[1][ruc]=4&rucs[0][fecha]=1", &["2 1", "4 3"]),
        (
            "rucs[10]=k&rucs[2]=c&rucs[0]=a&rucs[1]=b&rucs[3]=d&rucs[4]=e&rucs[5]=f&rucs[6]=g&rucs[7]=h&rucs[8]=i\
             &rucs[9]=j",
            &["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"],
        ),
    ] {
        let expected: Vec<_> = expected.iter().map(|item| (*item).to_owned()).collect();
        assert_eq!(read(&app, FORM, form.to_owned()).await, Ok(expected), "{form}");
    }
    // Another form of brackets is the name of a field that nothing reads.
    let other = read(&app, FORM, "rucs[x]=1&rucs[][b]=2&rucs]=3&[=4".to_owned()).await;
    assert_eq!(other, Err("Falta el campo rucs.".to_owned()));
}

#[actix_web::test]
async fn repeated_keys_and_gaps_are_refused() {
    let app = app().await;
    for form in [
        "rucs=1&rucs=2",
        "rucs=1&rucs[]=2",
        "rucs[0]=1&rucs[0]=2",
        "rucs[0][b]=1&rucs[0][b]=2",
        "rucs[0]=1&rucs[0][b]=2",
        "rucs[]=1&rucs=2",
    ] {
        let message = read(&app, FORM, form.to_owned()).await.unwrap_err();
        assert!(message.starts_with("El cuerpo repite la clave rucs"), "{form}: {message}");
    }
    for (form, missing) in
        [("rucs[1]=x", 0), ("rucs[0]=x&rucs[2]=y", 1), ("rucs[0][b]=x&rucs[99999999999999999999][b]=y", 1)]
    {
        let message = read(&app, FORM, form.to_owned()).await.unwrap_err();
        let expected = format!("A la lista rucs del formulario le falta el elemento [{missing}]:");
        assert!(message.starts_with(&expected), "{form}: {message}");
    }
}

#[actix_web::test]
async fn the_fields_of_a_form_and_of_an_item_are_bounded_and_items_are_not() {
    let app = app().await;
    let form = async |count: usize, key: fn(usize) -> String| {
        let body: String = (0..count).map(key).collect();
        read(&app, FORM, body).await
    };
    let plain: fn(usize) -> String = |at| format!("k{at}=&");
    let of_item: fn(usize) -> String = |at| format!("rucs[0][k{at}]=&");
    let of_items: fn(usize) -> String = |at| format!("rucs[{at}][k]=&");
    assert_eq!(form(MAX_FIELDS, plain).await, Err("Falta el campo rucs.".to_owned()));
    assert_eq!(form(MAX_FIELDS, of_item).await.map(|items| items.len()), Ok(1));
    for key in [plain, of_item] {
        let message = format!("El cuerpo tiene más de {MAX_FIELDS} campos.");
        assert_eq!(form(MAX_FIELDS + 1, key).await, Err(message));
    }
    // All items are read, and are more than the plan allows.
    let message = form(5_000, of_items).await.unwrap_err();
    assert!(message.ends_with("y tiene 5000."), "{message}");
}

/// Reads a form in parts, in which every line ends with CR and LF.
async fn read_parts<S>(app: &(S, String), body: &str) -> Result<Vec<String>, String>
where
    S: Service<Request, Response = ServiceResponse<BoxBody>, Error = Error>,
{
    read(app, IN_PARTS, body.replace('\n', "\r\n")).await
}

#[actix_web::test]
async fn fields_in_parts_are_read_with_their_line_breaks() {
    let app = app().await;
    let body = "preamble\n------a b\nContent-Disposition: form-data; x=\"a;name=b\"; name=\"rucs[0]\"\n\na\n\nb\n\
                ------a b \ncontent-type: text/plain; charset=utf-8\ncontent-disposition:form-data;name=rucs[1]\n\
                Content-Length: 0\n\n\n------a b--\nepilogue";
    assert_eq!(read_parts(&app, body).await, Ok(vec!["a\r\n\r\nb".to_owned(), String::new()]));
    assert_eq!(read_parts(&app, "------a b--").await, Err("Falta el campo rucs.".to_owned()), "a form without fields");
}

#[actix_web::test]
async fn a_file_is_refused_and_an_input_without_one_is_left_out() {
    let app = app().await;
    let part = async |file: &str| {
        let head = format!("------a b\nContent-Disposition: form-data; name=\"rucs[]\"; filename=\"{file}\"\n");
        read_parts(&app, &format!("{head}Content-Type: text/csv\n\n1\n------a b--\n")).await
    };
    assert_eq!(part("a.csv").await, Err("El formulario no puede llevar archivos, solo campos.".to_owned()));
    assert_eq!(part("").await, Err("Falta el campo rucs.".to_owned()));
}

#[actix_web::test]
async fn what_is_no_whole_form_in_parts_is_refused() {
    let app = app().await;
    let head = "------a b\nContent-Disposition: form-data; name=\"rucs[]\"\n";
    for body in [
        "x=1".to_owned(),
        format!("{head}\n1\n"),
        format!("{head}\n1\n------a b"),
        format!("{head}\n1\n------a--"),
        format!("{head}1\n------a b--"),
        "------a b\nContent-Disposition: form-data\n\n1\n------a b--".to_owned(),
        "------a b\nX: form-data; name=\"rucs[]\"\n\n1\n------a b--".to_owned(),
    ] {
        let message = read_parts(&app, &body).await.unwrap_err();
        assert!(message.starts_with("El formulario multipart está incompleto"), "{body}: {message}");
    }
}
