//! `/panel/tokens`: the account's tokens, creating one, and confirming a revocation. Every use case gets the session's
//! account, so that another's token is not found.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_app::own_tokens::{MAX_ACTIVE, MAX_NAME_CHARS, MAX_NETWORKS};
use kuraka_app::{CreateToken, CreateTokenError, token};
use kuraka_ports::{Token, TokenId, TokenKind};

use crate::error::PageError;
use crate::layout::{Layout, MenuItem};
use crate::request::{CurrentUser, Fields, UserForm};
use crate::{response, spanish};

/// The days of a token's life, and their words. The first is the default.
const EXPIRY: [(&str, &str); 4] = [("", "No vence"), ("30", "En 30 días"), ("90", "En 90 días"), ("365", "En un año")];

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    layout: Layout,
    now: Timestamp,
    tokens: Vec<Token>,
    /// What was sent, to fill the form in again.
    draft: Fields,
    /// Name and text, shown only once.
    made: Option<(String, String)>,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "token_revoke.html")]
struct RevokePage {
    layout: Layout,
    token: Token,
}

pub(crate) async fn show(user: CurrentUser) -> Result<HttpResponse, PageError> {
    let page = TokensPage::load(&user).await?;
    Ok(response::page(StatusCode::OK, &page))
}

pub(crate) async fn create(form: UserForm) -> Result<HttpResponse, PageError> {
    let UserForm { user, fields } = form;
    let (name, expires) = (fields.text("name").trim().to_owned(), fields.text("expires"));
    let (days, _) = EXPIRY.into_iter().find(|(days, _)| *days == expires).ok_or(PageError::NotAForm)?;
    let lines = fields.text("allowed").lines().map(str::trim).filter(|line| !line.is_empty());
    let kind = if fields.text("kind") == "test" { TokenKind::Test } else { TokenKind::Live };
    let allowed = lines.map(str::to_owned).collect();
    let request = CreateToken { name, kind, days: days.parse().ok(), allowed };
    let wrong = match user.panel.own_tokens.create(user.account.id, &request).await {
        Ok(token) => {
            let made = Some((request.name, token.reveal().to_owned()));
            let page = TokensPage { made, ..TokensPage::load(&user).await? };
            return Ok(response::page(StatusCode::CREATED, &page));
        }
        Err(CreateTokenError::Store(error)) => return Err(error.into()),
        Err(CreateTokenError::Busy) => return Err(PageError::Busy),
        Err(CreateTokenError::Days) => return Err(PageError::NotAForm),
        Err(CreateTokenError::Name) => format!("El nombre debe tener de 1 a {MAX_NAME_CHARS} caracteres."),
        Err(CreateTokenError::Network(line)) => {
            format!("«{line}» no es una dirección ni una red, como 203.0.113.7 o 203.0.113.0/24.")
        }
        Err(CreateTokenError::TooManyNetworks) => format!("Son demasiadas direcciones: a lo más {MAX_NETWORKS}."),
        Err(CreateTokenError::TooMany) => {
            format!("Llegó a {MAX_ACTIVE} tokens vigentes, el máximo. Revoque uno que ya no use.")
        }
    };
    let page = TokensPage { draft: fields, wrong: Some(wrong), ..TokensPage::load(&user).await? };
    Ok(response::page(StatusCode::UNPROCESSABLE_ENTITY, &page))
}

/// On a separate page, which works without JavaScript.
pub(crate) async fn ask_to_revoke(user: CurrentUser, id: web::Path<String>) -> Result<HttpResponse, PageError> {
    let id = token_id(&id)?;
    let tokens = user.panel.own_tokens.tokens.list(user.account.id).await?;
    let token =
        tokens.into_iter().find(|token| token.id == id && token.revoked.is_none()).ok_or(PageError::NotFound)?;
    Ok(response::page(StatusCode::OK, &RevokePage { layout: user.layout(MenuItem::TOKENS), token }))
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
    async fn load(user: &CurrentUser) -> Result<Self, PageError> {
        let mut tokens = user.panel.own_tokens.tokens.list(user.account.id).await?;
        tokens.reverse();
        Ok(Self {
            layout: user.layout(MenuItem::TOKENS),
            now: user.panel.clock.now(),
            tokens,
            draft: Fields::default(),
            made: None,
            wrong: None,
        })
    }

    /// A token's tone, word, and whether it can be revoked.
    fn state(&self, token: &Token) -> (&'static str, &'static str, bool) {
        match (token.revoked, token.expires) {
            (Some(_), _) => ("", "Revocado", false),
            (None, Some(expires)) if expires <= self.now => ("warn", "Vencido", false),
            (None, Some(_) | None) => ("good", "Vigente", true),
        }
    }
}

fn is_test(token: &Token) -> bool {
    token::kind(token.prefix.as_bytes()) == TokenKind::Test
}

fn day_or(moment: &Option<Timestamp>, otherwise: &str) -> String {
    moment.map_or_else(|| otherwise.to_owned(), spanish::day_of)
}

/// A network of one address as that address.
fn in_short(networks: &[IpNet]) -> String {
    let is_single = |network: &IpNet| network.prefix_len() == network.max_prefix_len();
    let text = |it: &IpNet| if is_single(it) { it.addr().to_string() } else { it.to_string() };
    networks.iter().map(text).collect::<Vec<_>>().join(", ")
}
