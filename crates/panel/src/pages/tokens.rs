//! `/panel/tokens`: the account's tokens, a form that makes one, and the question before one is revoked.
//!
//! The account of the session is part of every question to the use cases: a number of somebody else's token leads
//! nowhere.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, web};
use askama::Template;
use ipnet::IpNet;
use jiff::Timestamp;
use kuraka_app::own_tokens::{LONGEST_NAME, MOST, MOST_NETWORKS};
use kuraka_app::{CreateToken, CreateTokenError};
use kuraka_ports::{Token, TokenId};

use crate::frame::{Frame, Place};
use crate::problem::Problem;
use crate::submission::Submission;
use crate::visit::Visit;
use crate::{page, spanish};

/// How long a token may live, as the form offers it.
pub(crate) struct Lifetime {
    pub(crate) value: &'static str,
    pub(crate) text: &'static str,
    days: Option<u32>,
}

/// The choices, in their order; the first is the one that is chosen unless somebody chooses.
pub(crate) const EXPIRY: &[Lifetime] = &[
    Lifetime { value: "", text: "No vence", days: None },
    Lifetime { value: "30", text: "En 30 días", days: Some(30) },
    Lifetime { value: "90", text: "En 90 días", days: Some(90) },
    Lifetime { value: "365", text: "En un año", days: Some(365) },
];

/// A token in texts.
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

/// What was written into the form.
#[derive(Default)]
struct Draft {
    name: String,
    expires: String,
    allowed: String,
}

/// A token that has just been made: shown once.
struct Made {
    name: String,
    text: String,
}

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    frame: Frame,
    tokens: Vec<Row>,
    draft: Draft,
    name_limit: usize,
    made: Option<Made>,
    wrong: Option<String>,
}

#[derive(Template)]
#[template(path = "token_revoke.html")]
struct RevokePage {
    frame: Frame,
    id: i64,
    name: String,
    prefix: String,
}

/// `GET /panel`: tokens come first.
pub(crate) async fn first(_visit: Visit) -> HttpResponse {
    page::elsewhere("/panel/tokens")
}

pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, Problem> {
    let page = TokensPage::of(&visit).await?;
    Ok(page::html(StatusCode::OK, &page))
}

pub(crate) async fn create(form: Submission) -> Result<HttpResponse, Problem> {
    let Submission { visit, fields } = form;
    let draft = Draft {
        name: fields.text("name").trim().to_owned(),
        expires: fields.text("expires").to_owned(),
        allowed: fields.text("allowed").to_owned(),
    };
    let lifetime = EXPIRY.iter().find(|choice| choice.value == draft.expires);
    let days = lifetime.ok_or(Problem::NotAForm)?.days;
    let lines = draft.allowed.lines().map(str::trim).filter(|line| !line.is_empty());
    let wish = CreateToken { name: draft.name.clone(), days, allowed: lines.map(str::to_owned).collect() };
    let wrong = match visit.panel.own_tokens.create(visit.account.id, &wish).await {
        Ok(token) => {
            let made = Some(Made { name: draft.name, text: token.reveal().to_owned() });
            let page = TokensPage { made, ..TokensPage::of(&visit).await? };
            return Ok(page::html(StatusCode::CREATED, &page));
        }
        Err(CreateTokenError::Store(error)) => return Err(error.into()),
        Err(CreateTokenError::Busy) => return Err(Problem::Busy),
        Err(CreateTokenError::Days) => return Err(Problem::NotAForm),
        Err(CreateTokenError::Name) => format!("El nombre debe tener de 1 a {LONGEST_NAME} caracteres."),
        Err(CreateTokenError::Network(line)) => {
            format!("«{line}» no es una dirección ni una red, como 203.0.113.7 o 203.0.113.0/24.")
        }
        Err(CreateTokenError::TooManyNetworks) => format!("Son demasiadas direcciones: a lo más {MOST_NETWORKS}."),
        Err(CreateTokenError::TooMany) => {
            format!("Llegó a {MOST} tokens vigentes, el máximo. Revoque uno que ya no use.")
        }
    };
    let page = TokensPage { draft, wrong: Some(wrong), ..TokensPage::of(&visit).await? };
    Ok(page::html(StatusCode::UNPROCESSABLE_ENTITY, &page))
}

/// A question that works without a script, before something that cannot be undone.
pub(crate) async fn ask_to_revoke(visit: Visit, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let id = token_id(&id)?;
    let tokens = visit.panel.own_tokens.list(visit.account.id).await?;
    let token = tokens.into_iter().find(|token| token.id == id && token.revoked.is_none()).ok_or(Problem::NotFound)?;
    let page = RevokePage { frame: visit.frame(Place::Tokens), id: token.id.0, name: token.name, prefix: token.prefix };
    Ok(page::html(StatusCode::OK, &page))
}

pub(crate) async fn revoke(form: Submission, id: web::Path<String>) -> Result<HttpResponse, Problem> {
    let visit = form.visit;
    if !visit.panel.own_tokens.revoke(visit.account.id, token_id(&id)?).await? {
        return Err(Problem::NotFound);
    }
    Ok(page::elsewhere("/panel/tokens"))
}

fn token_id(text: &str) -> Result<TokenId, Problem> {
    text.parse().map(TokenId).map_err(|_| Problem::NotFound)
}

impl TokensPage {
    async fn of(visit: &Visit) -> Result<Self, Problem> {
        let now = visit.panel.clock.now();
        let tokens = visit.panel.own_tokens.list(visit.account.id).await?;
        Ok(Self {
            frame: visit.frame(Place::Tokens),
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

/// A network, or the address if it is a network of one.
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
