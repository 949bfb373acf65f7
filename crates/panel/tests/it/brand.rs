//! The operator's name, logo and colour.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use kuraka_app::ServiceReport;
use kuraka_panel::{Brand, Panel, ServiceStatus};

use crate::browser::Browser;
use crate::test_app::{EMAIL, TestApp};

#[actix_web::test]
async fn pages_have_the_operators_name_logo_and_colour() {
    let svg = r#"<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>"#;
    let brand = Brand::new("Estudio Quispe & Hijos".to_owned()).with_logo(svg.into()).unwrap();
    let brand = Arc::new(brand.with_colour(Brand::colour("#1d4ed8").unwrap()).unwrap());
    let look = |panel: &mut Panel| (panel.site.brand, panel.service) = (brand, ServiceStatus::new(true));
    let app = TestApp::with(look).await;
    let mut owner = app.signed_in(EMAIL).await;
    let mut visitor = Browser::new(&app);
    app.panel.show_service(&ServiceReport::default(), &[]);
    let pages = ["/", "/ingresar", "/docs", "/estado", "/constancia/0", "/panel"];
    for path in pages {
        let page = if path == "/panel" { owner.get(path).await } else { visitor.get(path).await };
        assert!(page.body.ends_with("</html>"), "{path}: {}", page.status);
        assert!(!page.body.contains("Kuraka ") && !page.body.contains("· Kuraka"), "{path}");
        page.assert_all([
            " · Estudio Quispe &#38; Hijos</title>",
            r#"<link rel="icon" type="image/svg+xml" href="/assets/logo-"#,
        ]);
    }
    let page = visitor.get("/ingresar").await;
    let address = |start: &str| {
        let at = page.body.find(start).unwrap() + start.len();
        page.body[at..].split('"').next().unwrap().to_owned()
    };
    let logo = visitor.get(&address("<img src=\"")).await;
    assert_eq!((logo.status, logo.header(&CONTENT_TYPE), &*logo.body), (StatusCode::OK, "image/svg+xml", svg));
    assert!(logo.header(&CONTENT_SECURITY_POLICY).starts_with("default-src 'none'; script-src 'self';"));
    let style = visitor.get(&address("<link rel=\"stylesheet\" href=\"")).await;
    style.assert_contains(":root { --accent: #1d4ed8; --accent-fill: #1d4ed8;");
}

#[test]
fn a_colour_is_readable_on_light_pages_and_a_logo_is_svg_or_png() {
    let ratio = |text| Brand::default().with_colour(Brand::colour(text).unwrap()).err();
    assert!(["#a3123f", "#1d4ed8", "#000000"].into_iter().all(|text| ratio(text).is_none()));
    // On white it has 4.48.
    assert!(ratio("#777777").is_some_and(|ratio| (3.8..4.0).contains(&ratio)), "{:?}", ratio("#777777"));
    assert!(["a3123f", "#a3123", "#a3123g", "#a3123f0"].into_iter().all(|text| Brand::colour(text).is_none()));
    let is_logo = |content: &[u8]| Brand::default().with_logo(content.to_vec()).is_some();
    assert!(is_logo(b"\x89PNG\r\n\x1a\n") && is_logo(b"\n<svg>"));
    assert!(!["", "GIF89a", "<html><svg>", "<?xml version='1.0'?><html>"].iter().any(|it| is_logo(it.as_bytes())));
}
