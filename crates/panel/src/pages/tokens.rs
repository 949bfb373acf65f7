//! `/panel/tokens`: the account's tokens, the form that creates one, and the confirmation before one is revoked.
//!
//! Every call of a use case names the account of the session, so that the id of another account's token is not found.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_app::own_tokens::{LONGEST_NAME, MOST, MOST_NETWORKS};
use kuraka_app::{CreateToken, CreateTokenError};
use kuraka_ports::{Token, TokenId};

use crate::current_user::CurrentUser;
use crate::error::PageError;
use crate::form::UserForm;
use crate::layout::{Layout, MenuItem};
use crate::{response, spanish};

/// A lifetime of a token that the form offers.
pub(crate) struct Lifetime {
    pub(crate) value: &'static str,
    pub(crate) text: &'static str,
    days: Option<u32>,
}

/// The choices in their order; the first is the default.
pub(crate) const EXPIRY: &[Lifetime] = &[
    Lifetime { value: "", text: "No vence", days: None },
    Lifetime { value: "30", text: "En 30 días", days: Some(30) },
    Lifetime { value: "90", text: "En 90 días", days: Some(90) },
    Lifetime { value: "365", text: "En un año", days: Some(365) },
];

/// A token, as text.
struct Row {
    id: i64,
    name: String,
    prefix: String,
    created: String,
    last_used: String,
    expires: String,
    allowed: String,
    state: State,
}

#[derive(Clone, Copy)]
enum State {
    Live,
    Expired,
    Revoked,
}

/// The values of the form, to fill it in again.
#[derive(Default)]
struct Draft {
    name: String,
    expires: String,
    allowed: String,
}

/// A new token, which is shown only once.
struct Made {
    name: String,
    text: String,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    layout: Layout,
    tokens: Vec<Row>,
    draft: Draft,
    name_limit: usize,
    made: Option<Made>,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "token_revoke.html")]
struct RevokePage {
    layout: Layout,
    id: i64,
    name: String,
    prefix: String,
}

/// `GET /panel`: opens the first page of the menu.
pub(crate) async fn first(_user: CurrentUser) -> HttpResponse {
    response::redirect("/panel/tokens")
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let page = TokensPage::of(&user).await?;
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn create(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let draft = Draft {
        name: fields.text("name").trim().to_owned(),
        expires: fields.text("expires").to_owned(),
        allowed: fields.text("allowed").to_owned(),
    };
    let lifetime = EXPIRY.iter().find(|choice| choice.value == draft.expires);
    let days = lifetime.ok_or(PageError::NotAForm)?.days;
    let lines = draft.allowed.lines().map(str::trim).filter(|line| !line.is_empty());
    let request = CreateToken { name: draft.name.clone(), days, allowed: lines.map(str::to_owned).collect() };
    let wrong = match user.panel.own_tokens.create(user.account.id, &request).await {
        Ok(token) => {
            let made = Some(Made { name: draft.name, text: token.reveal().to_owned() });
            let page = TokensPage { made, ..TokensPage::of(&user).await? };
            return Ok(response::page(StatusCode::CREATED, &page));
        }
        Err(CreateTokenError::Store(error)) => return Err(error.into()),
        Err(CreateTokenError::Busy) => return Err(PageError::Busy),
        Err(CreateTokenError::Days) => return Err(PageError::NotAForm),
        Err(CreateTokenError::Name) => format!("El nombre debe tener de 1 a {LONGEST_NAME} caracteres."),
        Err(CreateTokenError::Network(line)) => {
            format!("«{line}» no es una dirección ni una red, como 203.0.113.7 o 203.0.113.0/24.")
        }
        Err(CreateTokenError::TooManyNetworks) => format!("Son demasiadas direcciones: a lo más {MOST_NETWORKS}."),
        Err(CreateTokenError::TooMany) => {
            format!("Llegó a {MOST} tokens vigentes, el máximo. Revoque uno que ya no use.")
        }
    };
    let page = TokensPage { draft, wrong: Some(wrong), ..TokensPage::of(&user).await? };
    Ok(response::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
}

/// Asks for a confirmation on a separate page, which works without JavaScript.
pub(crate) async fn ask_to_revoke(user: CurrentUser, id: web::Path<String>) -> Result<HttpResponse, PageError> {
    let id = token_id(&id)?;
    let tokens = user.panel.own_tokens.list(user.account.id).await?;
    let token =
        tokens.into_iter().find(|token| token.id == id && token.revoked.is_none()).ok_or(PageError::NotFound)?;
    let page =
        RevokePage { layout: user.layout(MenuItem::TOKENS), id: token.id.0, name: token.name, prefix: token.prefix };
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn revoke(form: UserForm, id: web::Path<String>) -> Result<HttpResponse, PageError> {
    let user = form.user;
    if !user.panel.own_tokens.revoke(user.account.id, token_id(&id)?).await? {
        return Err(PageError::NotFound);
    }
    Ok(response::redirect("/panel/tokens"))
}

fn token_id(text: &str) -> Result<TokenId, PageError> {
    text.parse().map(TokenId).map_err(|_| PageError::NotFound)
}

impl TokensPage {
    async fn of(user: &CurrentUser) -> Result<Self, PageError> {
        let now = user.panel.clock.now();
        let tokens = user.panel.own_tokens.list(user.account.id).await?;
        Ok(Self {
            layout: user.layout(MenuItem::TOKENS),
            tokens: tokens.into_iter().rev().map(|token| Row::of(token, now)).collect(),
            draft: Draft::default(),
            name_limit: LONGEST_NAME,
            made: None,
            wrong: None,
        })
    }
}

impl Row {
    fn of(token: Token, now: Timestamp) -> Self {
        let or = |moment: Option<Timestamp>, otherwise: &str| moment.map_or(otherwise.to_owned(), spanish::day_of);
        let state = match (token.revoked, token.expires) {
            (Some(_), _) => State::Revoked,
            (None, Some(expires)) if expires <= now => State::Expired,
            (None, Some(_) | None) => State::Live,
        };
        Self {
            id: token.id.0,
            name: token.name,
            prefix: token.prefix,
            created: spanish::day_of(token.created),
            last_used: or(token.last_used, "Nunca"),
            expires: or(token.expires, "No vence"),
            allowed: token.allowed.into_iter().map(in_short).collect::<Vec<_>>().join(", "),
            state,
        }
    }
}

/// A network as text; only its address if it is a single address.
fn in_short(network: IpNet) -> String {
    if network.prefix_len() == network.max_prefix_len() { network.addr().to_string() } else { network.to_string() }
}

impl State {
    const fn tone(self) -> &'static str {
        match self {
            Self::Live => "good",
            Self::Expired => "warn",
            Self::Revoked => "",
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Live => "Vigente",
            Self::Expired => "Vencido",
            Self::Revoked => "Revocado",
        }
    }

    const fn is_live(self) -> bool {
        match self {
            Self::Live => true,
            Self::Expired | Self::Revoked => false,
        }
    }
}
