//! `kuraka token`: make, show and revoke API tokens.

use jiff::Timestamp;
use kuraka_adapters::clock::SystemClock;
use kuraka_adapters::store::SqliteStore;
use kuraka_app::ApiToken;
use kuraka_ports::{AccountId, Clock, NewToken, TokenId, Tokens};
use kuraka_server::settings::Settings;

use super::{Failure, account_of, block_on, open_store};
use crate::cli::Token;
use crate::console;

/// Characters of a token's name.
const LONGEST_NAME: usize = 100;

pub(crate) fn run(command: Token, settings: &Settings) -> Result<(), Failure> {
    match command {
        Token::Create { email, name } => block_on(create(settings, &email, &name)),
        Token::List { email } => block_on(list(settings, &email)),
        Token::Revoke { id } => block_on(revoke(settings, TokenId(id))),
    }
}

async fn create(settings: &Settings, email: &str, name: &str) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&store, email).await?;
    let token = make(&store, account.id, name).await?;
    store.close().await;
    console::line(token.reveal());
    Ok(())
}

/// Makes a token and keeps its digest.
pub(super) async fn make(store: &SqliteStore, account: AccountId, name: &str) -> Result<ApiToken, Failure> {
    let name = name.trim();
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
        return Err(format!("a token's name has from 1 to {LONGEST_NAME} printable characters").into());
    }
    let token = ApiToken::generate(getrandom::fill)?;
    let kept = NewToken {
        account,
        name: name.to_owned(),
        digest: token.digest(),
        prefix: token.prefix().to_owned(),
        created: SystemClock::start().now(),
        expires: None,
        allowed: Vec::new(),
    };
    Tokens::create(store, &kept).await?;
    Ok(token)
}

async fn list(settings: &Settings, email: &str) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let account = account_of(&store, email).await?;
    let tokens = store.list(account.id).await?;
    store.close().await;
    let second = |time: Timestamp| time.strftime("%Y-%m-%d %H:%M:%SZ").to_string();
    let rows: Vec<[String; 5]> = tokens
        .into_iter()
        .map(|token| {
            let revoked = token.revoked.map_or_else(|| "-".to_owned(), second);
            [token.id.to_string(), token.name, format!("{}…", token.prefix), second(token.created), revoked]
        })
        .collect();
    console::table(["ID", "NAME", "TOKEN", "CREATED", "REVOKED"], &rows);
    Ok(())
}

async fn revoke(settings: &Settings, id: TokenId) -> Result<(), Failure> {
    let store = open_store(settings).await?;
    let known = store.revoke(id, SystemClock::start().now()).await?;
    store.close().await;
    if !known {
        return Err(format!("there is no token {id}: kuraka token list --email E shows an account's tokens").into());
    }
    console::note(&format!("token {id} is revoked"));
    Ok(())
}
