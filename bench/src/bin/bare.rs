//! The bare server: actix reads the body of a POST and answers a constant JSON as long as Kuraka's answer.
//! `bare ADDRESS`

use actix_web::web::{Bytes, post, resource};
use actix_web::{App, HttpResponse, HttpServer};

const ANSWER: &str = r#"{"success":true,"code":"found","retryable":false,"data":{"ruc":"20100119227","nombre_o_razon_social":"3M PERU S A","estado":"ACTIVO","condicion":"HABIDO","direccion":"AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR","departamento":"LIMA","es_agente_de_retencion":"SI","es_buen_contribuyente":"NO"},"time":0.000012}"#;

async fn answer(_body: Bytes) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(ANSWER)
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:18081".to_owned());
    let server = HttpServer::new(|| App::new().service(resource("/ruc").route(post().to(answer))));
    server.workers(1).bind(address)?.run().await
}
