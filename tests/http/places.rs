//! Uploads that never arrive, on real connections.

use crate::app::{eventually, scene};
use crate::panel::{Browser, EMAIL, PASSWORD};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_that_never_arrive_are_in_no_other_accounts_way() {
    let app = scene().start().await;
    let [mut ana, mut luz] = [Browser::new(&app), Browser::new(&app)];
    for (browser, email) in [(&mut ana, EMAIL), (&mut luz, "luz@kuraka.example")] {
        browser.submit("/registro", "/registro", &[("email", email), ("password", PASSWORD)]).await;
    }
    let mut never = Vec::new();
    for _ in 0..10 {
        let form = app.post("/panel/lista").header("Content-Type", "multipart/form-data; boundary=b");
        let form = ana.with_cookies(form.header("Origin", format!("http://{}", app.api)));
        let head = form.header("Content-Length", "2000000").bytes();
        let mut wire = app.connect().await;
        wire.send(&head).await;
        wire.send(b"--b\r\n").await;
        never.push(wire);
    }
    eventually("the server has read the beginning of two of them", async || {
        let upload = ana.clone().submit("/panel/lista", "/panel/lista", &[("text", "20100119227")]).await;
        (upload.status == 429).then_some(())
    })
    .await;
    for _ in 0..10 {
        let read = luz.submit("/panel/lista", "/panel/lista", &[("text", "20100119227")]).await;
        assert_eq!(read.status, 303, "{}", read.body);
    }
}
