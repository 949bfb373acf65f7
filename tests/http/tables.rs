//! Lists answered as tables: CSV and workbooks, with the same columns.

use kuraka_sandbox::sample;
use kuraka_sandbox::upstream::VOUCHERS;
use kuraka_tables::{StringRecord, TableError, TableReader, XlsxLimits};
use serde_json::json;

use crate::answer::Answer;
use crate::app::{App, Owner, scene};
use crate::sandbox::claim;
use crate::shared::shared;

const CSV: &str = "text/csv";
const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

async fn ask(app: &App, owner: &Owner, path: &str, accept: &str, body: &serde_json::Value) -> Answer {
    app.post(path).token(&owner.token).header("Accept", accept).json(body.to_string()).send().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_table_of_taxpayers_has_the_fields_of_a_single_call() {
    let (app, owner) = shared().await;
    let body = json!({"rucs": [sample::COMPANY, sample::ABSENT, "=1+1", "a,\"b\"\r\nc"]});
    let answer = ask(app, &owner, "/ruc-multiple", CSV, &body).await;
    assert_eq!((answer.status, answer.must("content-type")), (200, "text/csv; charset=utf-8"));
    let edition = answer.must("x-registry-edition");
    assert!(edition.starts_with("20"), "{edition}");
    let expected = [
        "ruc,code,message,nombre_o_razon_social,estado,condicion,direccion,departamento,es_agente_de_retencion,es_buen_contribuyente",
        "20100119227,found,,3M PERU S A,ACTIVO,HABIDO,AV. ENRIQUE CANAVAL Y MOREYRA NRO. 641 URB. EL PALOMAR,LIMA,SI,NO",
        "20999999990,document_not_found,El RUC no existe.,,,,,,,",
        "'=1+1,invalid_input,El RUC es incorrecto: debe tener 11 dígitos y tiene 4 caracteres.,,,,,,,",
        "\"a,\"\"b\"\"\r\nc\",invalid_input,El RUC es incorrecto: debe tener 11 dígitos y tiene 8 caracteres.,,,,,,,",
        "",
    ];
    assert_eq!(answer.body, expected.join("\r\n"));

    let body = json!({"rucs": [sample::DESCRIBED, sample::SANCTIONED, sample::PERSON], "ficha": true});
    let answer = ask(app, &owner, "/ruc-multiple", CSV, &body).await;
    let mut lines = answer.body.lines();
    assert!(lines.next().unwrap().ends_with(
        ",ubigeo,provincia,distrito,padrones,sin_capacidad_operativa,sanciones,tipo_contribuyente,trabajadores,actividad_principal"
    ));
    assert!(
        lines
            .next()
            .unwrap()
            .contains(",buenos_contribuyentes | percepcion_venta_interna,NO,,SOCIEDAD ANONIMA CERRADA,148,")
    );
    assert!(
        lines.next().unwrap().contains(",SI,TEMPORAL desde 2024-08-06 hasta 2027-08-05 | DEFINITIVA desde 2025-11-01,")
    );
    assert!(lines.next().unwrap().starts_with("10999990075,found,,"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_table_of_vouchers_has_what_was_sent_and_what_was_answered() {
    let (app, owner) = shared().await;
    let noted = VOUCHERS.iter().find(|known| known.about.contains("another taxpayer")).unwrap();
    let body = json!({"comprobantes": [claim(noted), "20999990062|01|F001|1|15/01/2026", "-1|01|F001|1|15/01/2026|1"]});
    let answer = ask(app, &owner, "/cpe-multiple", CSV, &body).await;
    assert_eq!((answer.status, answer.must("content-type")), (200, "text/csv; charset=utf-8"));
    let total = claim(noted)["total"].to_string();
    let expected = [
        "ruc_emisor,codigo_tipo_documento,serie_documento,numero_documento,fecha_de_emision,total,code,message,comprobante_estado_codigo,comprobante_estado_descripcion,empresa_estado_descripcion,empresa_condicion_descripcion,observaciones".to_owned(),
        format!(
            "20999990062,{},{},{},{},{total},found,,1,ACEPTADO,ACTIVO,HABIDO,El comprobante de pago consultado ha sido emitido a otro contribuyente.",
            noted.kind, noted.series, noted.number, noted.issued
        ),
        "20999990062|01|F001|1|15/01/2026,,,,,,invalid_input,La línea debe tener seis campos separados por |: ruc|tipo|serie|numero|fecha|total.,,,,,".to_owned(),
        "'-1,01,F001,1,15/01/2026,1,invalid_input,El campo ruc_emisor es incorrecto: debe tener 11 dígitos y tiene 2 caracteres.,,,,,".to_owned(),
        String::new(),
    ];
    assert_eq!(answer.body, expected.join("\r\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_workbook_has_the_rows_of_the_csv() {
    let (app, owner) = shared().await;
    for (path, body) in [
        ("/ruc-multiple", json!({"rucs": [sample::DESCRIBED, sample::ABSENT, "=1+1"], "ficha": true})),
        ("/cpe-multiple", json!({"comprobantes": [claim(&VOUCHERS[0]), "x"]})),
    ] {
        let csv = ask(app, &owner, path, CSV, &body).await;
        let workbook = ask(app, &owner, path, XLSX, &body).await;
        assert_eq!((workbook.status, workbook.must("content-type")), (200, XLSX));
        assert_eq!(workbook.header("x-registry-edition"), csv.header("x-registry-edition"));
        let rows = |bytes: &[u8]| -> Vec<Vec<String>> {
            let mut rows = Vec::new();
            let reader =
                TableReader::new(bytes, XlsxLimits { text: 1 << 20, ratio: 1_000, ratio_from: 1 << 20 }).unwrap();
            let each = |_, row: &mut StringRecord| {
                // The reader of workbooks leaves out the empty cells at the end of a row.
                let row: Vec<&str> = row.iter().collect();
                rows.push(row.join("\t").trim_end_matches('\t').split('\t').map(str::to_owned).collect());
                Ok::<_, TableError>(())
            };
            reader.rows(each).unwrap();
            rows
        };
        // A workbook needs no apostrophe, and a number loses the zeros at its end.
        let plain = csv.body.replace("'=", "=").replace("118.0,", "118,");
        assert_eq!(rows(&workbook.bytes), rows(plain.as_bytes()), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_error_of_the_whole_list_is_json_and_so_is_any_other_wish() {
    let (app, owner) = scene().plan(10, 1_000, 1_000).start_with_owner().await;
    let good = json!({ "rucs": [sample::COMPANY] });
    for accept in [CSV, XLSX] {
        ask(&app, &owner, "/ruc-multiple", accept, &json!({ "rucs": [] })).await.refused("invalid_input");
        ask(&app, &owner, "/ruc-multiple", accept, &json!({ "rucs": vec!["x"; 11] })).await.refused("quota_exceeded");
        app.post("/ruc-multiple")
            .header("Accept", accept)
            .json(good.to_string())
            .send()
            .await
            .refused("unauthenticated");
    }
    for accept in ["application/json", "*/*", "text/html", "text/csv;q=0", "application/json, text/csv;q=0.9"] {
        ask(&app, &owner, "/ruc-multiple", accept, &good).await.found();
    }
    let single = app.post("/ruc").token(&owner.token).header("Accept", CSV).ruc(sample::COMPANY).send().await;
    single.found();
}
