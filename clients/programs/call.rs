//! Runs one case of the table: the call is on the standard input.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use kuraka_client::records::{ChangesRequest, SearchRequest, VoucherRequest, WatchRequest};
use kuraka_client::{Date, Error, Kuraka, Results, Ruc, webhook};
use serde::{Deserialize, Serialize};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Case {
    call: String,
    arguments: Value,
    options: Options,
    repeat: Option<u32>,
    #[serde(default)]
    at: f64,
}

#[derive(Deserialize)]
struct Options {
    timeout: Option<f64>,
    max_retries: Option<u32>,
}

impl Case {
    fn argument<T: DeserializeOwned>(&self, name: &str) -> T {
        serde_json::from_value(self.arguments[name].clone()).expect("the table has the argument")
    }

    fn ruc(&self) -> Result<Ruc, Error> {
        Ok(self.argument::<String>("ruc").parse()?)
    }

    fn date(&self) -> Option<Date> {
        self.argument::<Option<String>>("fecha").map(|date| Date::parse(&date).expect("the table has a date"))
    }

    fn client(&self) -> Result<Kuraka, Error> {
        let mut client = Kuraka::from_env()?;
        // What a log may show.
        assert!(!format!("{client:?}").contains("kur_"), "{client:?}");
        if let Some(seconds) = self.options.timeout {
            client = client.with_timeout(Duration::from_secs_f64(seconds));
        }
        Ok(match self.options.max_retries {
            Some(retries) => client.with_max_retries(retries),
            None => client,
        })
    }

    async fn value(&self, client: &Kuraka) -> Result<Value, Error> {
        let search = || serde_json::from_value::<SearchRequest<'static>>(self.arguments.clone());
        let changes = || serde_json::from_value::<ChangesRequest<'static>>(self.arguments.clone());
        let watch = || serde_json::from_value::<WatchRequest<'static>>(self.arguments.clone());
        Ok(match self.call.as_str() {
            "ruc" => json!(client.ruc(self.ruc()?).await?),
            "ruc_official" => json!(client.ruc_official(self.ruc()?).await?),
            "ruc_ficha" => json!(client.ruc_ficha(self.ruc()?).await?),
            "ruc_anexos" => json!(client.ruc_anexos(self.ruc()?).await?),
            "ruc_ssco" => json!(client.ruc_ssco(self.ruc()?).await?),
            "ruc_domicilio_fiscal" => json!(client.ruc_domicilio_fiscal(self.ruc()?).await?),
            "ruc_historial" => json!(client.ruc_historial(self.ruc()?, self.date()).await?),
            "ruc_busqueda" => all(client.ruc_busqueda(&search().expect("a request"))).await?,
            "ruc_multiple" => {
                let rucs = self.argument::<Vec<Value>>("rucs");
                all(client.ruc_multiple(&rucs, self.argument("ficha"))).await?
            }
            "cpe" => {
                let voucher = self.arguments["comprobante"].to_string();
                let voucher: VoucherRequest<'_> = serde_json::from_str(&voucher).expect("a voucher");
                json!(client.cpe(&voucher).await?)
            }
            "cpe_multiple" => {
                let vouchers = self.arguments["comprobantes"].to_string();
                let vouchers: Vec<VoucherRequest<'_>> = serde_json::from_str(&vouchers).expect("vouchers");
                all(client.cpe_multiple(&vouchers)).await?
            }
            "seguimiento" => json!(client.seguimiento(&watch().expect("a request")).await?),
            "seguimiento_lista" => all(client.seguimiento_lista()).await?,
            "cambios" => all(client.cambios(&changes().expect("a request"))).await?,
            "tipo_de_cambio" => json!(client.tipo_de_cambio(self.date()).await?),
            "tipo_de_cambio_mes" => json!(client.tipo_de_cambio_mes(&self.argument::<String>("mes")).await?),
            "ubigeos" => json!(client.ubigeos().await?),
            "usage" => json!(client.usage().await?),
            other => panic!("the client has no {other}"),
        })
    }

    fn webhook(&self) -> Result<Value, Error> {
        let headers: BTreeMap<String, String> = self.argument::<BTreeMap<String, String>>("headers");
        let headers: BTreeMap<String, String> =
            headers.into_iter().map(|(name, value)| (name.to_lowercase(), value)).collect();
        let header = |name| headers.get(name).map_or("", String::as_str);
        let (id, timestamp) = (header("webhook-id"), header("webhook-timestamp"));
        let headers = webhook::Headers { id, timestamp, signature: header("webhook-signature") };
        let (secret, body) = (self.argument::<String>("secret"), self.argument::<String>("body"));
        let now = UNIX_EPOCH + Duration::from_secs(self.argument("now"));
        if self.call == "verify_webhook" {
            webhook::verify(&secret, headers, body.as_bytes(), now)?;
            return Ok(Value::Null);
        }
        Ok(json!(webhook::read(&secret, headers, body.as_bytes(), now)?))
    }

    async fn run(&self) -> Result<Value, Error> {
        if self.call.ends_with("_webhook") {
            return self.webhook();
        }
        let client = self.client()?;
        let mut values = Vec::new();
        for _ in 0..self.repeat.unwrap_or(1) {
            values.push(self.value(&client).await?);
        }
        Ok(if self.repeat.is_some() { json!(values) } else { values.remove(0) })
    }
}

async fn all<T: DeserializeOwned + Serialize>(mut results: Results<'_, T>) -> Result<Value, Error> {
    let mut found = Vec::new();
    while let Some(result) = results.next().await? {
        found.push(json!(result));
    }
    Ok(json!(found))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let case: Case = serde_json::from_reader(std::io::stdin()).expect("a case");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
    tokio::time::sleep(Duration::from_secs_f64((case.at - now).max(0.0))).await;
    let outcome = match case.run().await {
        Ok(value) => json!({ "value": value }),
        Err(error) => json!({ "error": {
            "code": error.code, "message": error.message, "retryable": error.retryable, "status": error.status,
            "request_id": error.request_id, "retry_after": error.retry_after, "details": error.details,
            "connection": error.is_connection(),
        }}),
    };
    println!("{outcome}");
}
