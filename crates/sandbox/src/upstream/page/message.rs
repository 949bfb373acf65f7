//! Pages without a taxpayer: not found, errors, and the pages of firewalls and captchas.
//!
//! The known sentences are word for word; the rest of each page is short.

use crate::upstream::fault::Page;

/// The page for a number that no taxpayer has.
pub(in crate::upstream) fn not_found(number: &str) -> String {
    format!(include_str!("../../../pages/not_found.html"), number = super::row::escape(number))
}

/// The search form.
pub(in crate::upstream) fn search_form() -> String {
    include_str!("../../../pages/search_form.html").to_owned()
}

/// One of the web pages that come instead of a record.
pub(in crate::upstream) fn page_for(page: Page) -> String {
    match page {
        Page::Firewall => "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. \
             Please consult with your administrator.<br><br>Your support ID is: 1234567890123456789<br><br>\
             <a href='javascript:history.back();'>[Go Back]</a></body></html>"
            .to_owned(),
        Page::Captcha => message(
            "SUNAT - Consulta RUC",
            "<form><p>Ingrese el c&oacute;digo que se muestra en la imagen</p>\
             <div class=\"g-recaptcha\" data-sitekey=\"0\"></div></form>",
        ),
        Page::Denied => message("Acceso denegado", "<h1>Acceso denegado</h1><p>Access denied</p>"),
        Page::Error => message(
            ".:: Pagina de Error ::.",
            "<div class=\"msg\">La aplicaci&oacute;n ha retornado el siguiente problema :</div>\n\
             <p class=\"error\">Surgieron problemas al procesar la consulta por número de ruc.</p>\n\
             <div class=\"msg2\">Acci&oacute;n a realizar :</div>\n\
             <div class=\"soluc\">Por favor intentente nuevamente realizar la operaci&oacute;n.</div>",
        ),
        Page::SearchForm => search_form(),
        Page::Maintenance => {
            message("Mantenimiento", "<h1>Sistema en mantenimiento</h1><p>El servicio no est&aacute; disponible.</p>")
        }
    }
}

/// A short page.
pub(in crate::upstream) fn message(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
         <body>\n{body}\n</body>\n</html>\n"
    )
}
