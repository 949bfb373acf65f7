//! The texts of mails. A subject has no RUC and no name of a taxpayer.

use askama::Template;
use kuraka_api::spanish::month;
use kuraka_app::calendar;
use kuraka_ports::{LeasedMail, MailKind, MailMessage, WebhookStatus};

use crate::spanish::number;

/// Paragraphs; one that is an address is a link.
#[derive(Template)]
#[template(path = "mail.html")]
struct MailPage<'a> {
    title: &'a str,
    paragraphs: &'a [String],
}

/// A mail with its text. `url` is the server's public URL, `contact` the operator's, `code` the code of the mail's link.
pub fn mail_message(mail: &LeasedMail, url: &str, contact: Option<&str>, code: &str) -> MailMessage {
    let (subject, mut paragraphs) = content(mail, url, contact, code);
    let unsubscribe = paragraphs.last().filter(|_| mail.kind == MailKind::Changes).cloned();
    paragraphs.push("Este es un correo automático; nadie lee las respuestas.".to_owned());
    let html = MailPage { title: &subject, paragraphs: &paragraphs }.render().unwrap_or_default();
    // Unlike a number alone, the time tells the mails of two stores apart.
    let id = format!("{}.{}", mail.created.as_microsecond(), mail.id.0);
    MailMessage { to: mail.to.clone(), id, subject, text: paragraphs.join("\n\n") + "\n", html, unsubscribe }
}

/// Subject and paragraphs.
fn content(mail: &LeasedMail, url: &str, contact: Option<&str>, code: &str) -> (String, Vec<String>) {
    let (name, detail) = mail.about.split_once('\n').unwrap_or((&mail.about, ""));
    match mail.kind {
        MailKind::DatasetTooOld => (
            format!("{name}: los datos son demasiado antiguos"),
            vec![
                format!("La edición {detail} de {name} es más antigua de lo que permite la configuración, y parte de las consultas ya no se responde."),
                format!("En el servidor, «kuraka dataset info {name}» muestra por qué no se actualiza."),
                url.to_owned(),
            ],
        ),
        MailKind::UpdateFails => {
            let (edition, detail) = detail.split_once('\n').unwrap_or_default();
            let (force, cause) = detail.split_once('\n').unwrap_or_default();
            let served = if edition.is_empty() {
                "Aún no hay una edición que responda.".to_owned()
            } else {
                format!("Sigue respondiendo la edición {edition}.")
            };
            let advice = if force.is_empty() {
                format!("En el servidor, «kuraka dataset info {name}» muestra el estado de los datos.")
            } else {
                format!("Si el archivo es correcto, «kuraka dataset update {name} {force}» lo publica.")
            };
            (
                format!("{name}: la actualización necesita su atención"),
                vec![
                    format!("La última actualización de {name} falló, y no se resolverá sola. {served} La causa:"),
                    cause.to_owned(),
                    advice,
                    url.to_owned(),
                ],
            )
        }
        MailKind::CredentialsRefused => (
            format!("{name}: las credenciales fueron rechazadas"),
            vec![
                format!("La fuente {name} rechazó hoy las credenciales de este servidor. Revise que sigan vigentes; «kuraka doctor» las prueba."),
                url.to_owned(),
            ],
        ),
        MailKind::NewPassword => (
            "Su contraseña nueva".to_owned(),
            vec![
                "Alguien pidió cambiar la contraseña de su cuenta. Si fue usted, elija la nueva con este enlace, que vale una hora y una sola vez:".to_owned(),
                format!("{url}/clave/{code}"),
                "Si no fue usted, no haga nada: su contraseña no cambia.".to_owned(),
            ],
        ),
        MailKind::SignUp if code.is_empty() => (
            "Ya tiene una cuenta".to_owned(),
            vec![
                "Alguien quiso crear una cuenta con este correo, que ya tiene una. Si fue usted, ingrese con su contraseña, o elija una nueva si la olvidó:".to_owned(),
                format!("{url}/ingresar"),
                "Si no fue usted, no haga nada: su cuenta no cambia.".to_owned(),
            ],
        ),
        MailKind::SignUp => (
            "Confirme su correo".to_owned(),
            vec![
                "Alguien creó una cuenta con este correo. Si fue usted, confírmela con este enlace, que vale un día, y con la contraseña que eligió:".to_owned(),
                format!("{url}/confirmar/{code}"),
                "Si no fue usted, no haga nada.".to_owned(),
            ],
        ),
        MailKind::NewAddress if code.is_empty() => (
            "Este correo ya tiene una cuenta".to_owned(),
            vec![
                "Alguien quiso usar este correo en otra cuenta, pero ya tiene una, y un correo es de una sola cuenta.".to_owned(),
                "Si no fue usted, no haga nada: su cuenta no cambia.".to_owned(),
            ],
        ),
        MailKind::NewAddress => (
            "Confirme su correo nuevo".to_owned(),
            vec![
                "Alguien pidió que su cuenta use este correo. Si fue usted, confírmelo con este enlace, que vale un día, y con la contraseña de su cuenta:".to_owned(),
                format!("{url}/confirmar/{code}"),
                "Si no fue usted, no haga nada.".to_owned(),
            ],
        ),
        MailKind::AddressChanged => (
            "El correo de su cuenta cambió".to_owned(),
            vec![
                "Su cuenta usa desde ahora otro correo: a este ya no le llegará nada, ni sirve para ingresar.".to_owned(),
                "Si no fue usted, avise cuanto antes a quien administra este servicio:".to_owned(),
                contact.unwrap_or(url).to_owned(),
            ],
        ),
        MailKind::Quota => {
            let mut about = detail.lines();
            let queries = about.next().and_then(|queries| queries.parse().ok()).map(number).unwrap_or_default();
            let month = about.next().and_then(calendar::parse_month).map_or("", |period| month(period.month));
            let (subject, state) = if name == "100" {
                ("Se agotaron las consultas de su plan".to_owned(), "Su cuenta usó".to_owned())
            } else {
                (format!("Su cuenta usó el {name} % de las consultas de su plan"), format!("Su cuenta usó el {name} % de"))
            };
            let until = if name == "100" { "Hasta que empiece el mes siguiente" } else { "Si las agota" };
            (
                subject,
                vec![
                    format!("{state} las {queries} consultas que su plan tiene en {month}. {until}, las demás se responden con el error quota_exceeded."),
                    "Aquí ve en qué se usaron:".to_owned(),
                    format!("{url}/panel/consumo"),
                ],
            )
        }
        MailKind::WebhookDisabled => (
            "Un webhook dejó de recibir avisos".to_owned(),
            vec![
                if detail == WebhookStatus::Gone.as_str() {
                    "Un webhook de su cuenta respondió que su dirección ya no existe (410), y se desactivó.".to_owned()
                } else {
                    "Un webhook de su cuenta no recibió ninguna entrega en cinco días, y se desactivó.".to_owned()
                },
                "Cuando lo reactive, seguirá donde se detuvo, con los cambios que este servicio aún conserve. Aquí ve la última respuesta y lo reactiva:".to_owned(),
                format!("{url}/panel/avisos/{name}"),
            ],
        ),
        MailKind::Changes => {
            let (code, lines) = detail.split_once('\n').unwrap_or((detail, ""));
            let total = name.parse().unwrap_or(0_u64);
            let more = total.saturating_sub(lines.lines().count() as u64);
            let mut paragraphs = vec!["Cambios de los RUC que sigue su cuenta, primero los más graves:".to_owned(), lines.to_owned()];
            if more > 0 {
                paragraphs.push(format!("Y {} más.", number(more)));
            }
            paragraphs.extend([
                "Todo su seguimiento:".to_owned(),
                format!("{url}/panel/seguimiento"),
                "Para no recibir más estos correos:".to_owned(),
                format!("{url}/correo/{code}"),
            ]);
            (
                if total == 1 { "1 cambio en su seguimiento".to_owned() } else { format!("{} cambios en su seguimiento", number(total)) },
                paragraphs,
            )
        }
        MailKind::Test => (
            "Correo de prueba".to_owned(),
            vec!["Este servidor puede enviar correos.".to_owned(), url.to_owned()],
        ),
    }
}
