//! What surrounds every page: file addresses, menu, user.

use std::sync::Arc;

use crate::brand::Brand;
use crate::site::Site;

#[derive(Clone, Default)]
pub(crate) struct Layout {
    pub(crate) brand: Arc<Brand>,
    /// Empty without a session.
    pub(crate) email: String,
    /// The CSRF token; empty without a session on a page without a form.
    pub(crate) form_token: String,
    pub(crate) menu_item: Option<MenuItem>,
    pub(crate) is_operator: bool,
    /// The operator's contact, for visitors' questions.
    pub(crate) contact: Option<String>,
    pub(crate) can_sign_up: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MenuItem {
    pub(crate) title: &'static str,
    pub(crate) path: &'static str,
    /// The SVG icon's path data, in a square of 20.
    pub(crate) icon: &'static str,
}

impl Layout {
    pub(crate) fn public(site: &Site) -> Self {
        let (brand, contact, can_sign_up) = (Arc::clone(&site.brand), site.contact.clone(), site.sign_up.is_some());
        Self { brand, contact, can_sign_up, ..Self::default() }
    }
}

impl MenuItem {
    pub(crate) const HOME: Self = Self::new("Inicio", "/panel", "M3 9.5L10 3.5l7 6V17h-5v-5H8v5H3z");
    pub(crate) const SEARCH: Self =
        Self::new("Consultar", "/panel/consultar", "M9 15A6 6 0 1 0 9 3a6 6 0 0 0 0 12zM13.4 13.4L17.5 17.5");
    pub(crate) const LIST: Self = Self::new("Lista", "/panel/lista", "M4 5h.1M8 5h9M4 10h.1M8 10h9M4 15h.1M8 15h9");
    pub(crate) const WATCHING: Self = Self::new(
        "Seguimiento",
        "/panel/seguimiento",
        "M10 5C5.5 5 2.5 10 2.5 10s3 5 7.5 5 7.5-5 7.5-5-3-5-7.5-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
    );
    pub(crate) const EXCHANGE_RATE: Self =
        Self::new("Tipo de cambio", "/panel/tipo-de-cambio", "M3 7h13l-3-3M17 13H4l3 3");
    pub(crate) const TOKENS: Self =
        Self::new("Api Tokens", "/panel/tokens", "M7 13a3.5 3.5 0 1 1 0-7 3.5 3.5 0 0 1 0 7zM10.3 9.5H18M15 9.5v3");
    pub(crate) const WEBHOOKS: Self = Self::new(
        "Avisos",
        "/panel/avisos",
        "M10 3a4.5 4.5 0 0 0-4.5 4.5V11L4 14h12l-1.5-3V7.5A4.5 4.5 0 0 0 10 3zM8.5 17h3",
    );
    pub(crate) const USAGE: Self = Self::new("Consumo y plan", "/panel/consumo", "M3 17V9M8 17V4M13 17v-6M18 17V7");
    pub(crate) const PLAYGROUND: Self = Self::new("Probar", "/panel/probar", "M7 4l9 6-9 6z");
    pub(crate) const DOCUMENTS: Self = Self::new("Documentación", "/docs", "M5 3h7l3 3v11H5zM8 9h4M8 12h4");
    pub(crate) const STATUS: Self = Self::new("Servicio", "/estado", "M2 10h4l2.5-5 3.5 10 2.5-5H18");
    pub(crate) const ACCOUNT: Self = Self::new(
        "Cuenta",
        "/panel/cuenta",
        "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM4 17c.6-3.2 3-5 6-5s5.4 1.8 6 5",
    );

    pub(crate) const OPERATION: Self =
        Self::new("Operación", "/panel/operacion", "M3 4h14v9H3zM7 17h6M10 13v4M6 9.5l2.5-2 2 2.5 3.5-3.5");

    pub(crate) const OPERATOR: [Self; 1] = [Self::OPERATION];
    /// The tabs of a phone.
    pub(crate) const FIRST: [Self; 4] = [Self::HOME, Self::SEARCH, Self::LIST, Self::WATCHING];
    /// Other pages for people.
    pub(crate) const PEOPLE: [Self; 4] = [Self::EXCHANGE_RATE, Self::USAGE, Self::STATUS, Self::ACCOUNT];
    /// Pages for programmers.
    pub(crate) const PROGRAMMERS: [Self; 4] = [Self::TOKENS, Self::WEBHOOKS, Self::PLAYGROUND, Self::DOCUMENTS];

    const fn new(title: &'static str, path: &'static str, icon: &'static str) -> Self {
        Self { title, path, icon }
    }
}
