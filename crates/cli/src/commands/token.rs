//! `kuraka token`: creates, lists and revokes API tokens.

use std::sync::Arc;

use kuraka_adapters::store::Store;
use kuraka_app::{ApiToken, CreateToken, OwnTokens};
use kuraka_ports::{AccountId, Accounts, Email, PlanName, Token as Known, TokenId, TokenKind, Tokens};
use kuraka_server::settings::Settings;

use super::runtime::{Failure, block_on, clock, now};
use super::store_access::{account_of, existing_store, read_store};
use crate::cli::{Form, Token};
use crate::console::{self, second, second_or_dash};

pub(crate) fn run(command: Token, settings: &Settings) -> Result<(), Failure> {
    match command {
        Token::Create { email, name, days, allow, test } => {
            let kind = if test { TokenKind::Test } else { TokenKind::Live };
            block_on(create(settings, &email, &CreateToken { name, kind, days, allowed: allow }))
        }
        Token::List { email, form } => block_on(list(settings, &email, form)),
        Token::Revoke { id } => block_on(revoke(settings, TokenId(id))),
    }
}

async fn create(settings: &Settings, email: &str, new: &CreateToken) -> Result<(), Failure> {
    let store = existing_store(settings).await?;
    let account = account_of(&*store, email).await?;
    let token = make(&store, account.id, new).await?;
    store.close().await;
    console::line(token.reveal());
    Ok(())
}

/// The account is created with this plan unless it exists.
pub(super) async fn of_email(store: &Arc<dyn Store>, email: &str, plan: &str, name: &str) -> Result<ApiToken, Failure> {
    let email = Email::parse(email)?;
    let account = match Accounts::find(&**store, &email).await? {
        Some(account) => account,
        None => Accounts::create(&**store, &email, &PlanName::parse(plan)?, None, now()).await?,
    };
    make(store, account.id, &CreateToken { name: name.to_owned(), ..CreateToken::default() }).await
}

/// Creates a token and stores its digest.
async fn make(store: &Arc<dyn Store>, account: AccountId, new: &CreateToken) -> Result<ApiToken, Failure> {
    let tokens = OwnTokens::new(Arc::clone(store) as Arc<dyn Tokens>, clock(), getrandom::fill);
    Ok(tokens.create(account, new).await?)
}

fn cells(token: &Known) -> [String; 8] {
    let allowed: Vec<_> = token.allowed.iter().map(ToString::to_string).collect();
    [
        token.id.to_string(),
        token.name.clone(),
        format!("{}…", token.prefix),
        second(token.created),
        second_or_dash(token.last_used),
        second_or_dash(token.expires),
        if allowed.is_empty() { "any".to_owned() } else { allowed.join(" ") },
        second_or_dash(token.revoked),
    ]
}

async fn list(settings: &Settings, email: &str, form: Form) -> Result<(), Failure> {
    let store = read_store(settings).await?;
    let account = account_of(&*store, email).await?;
    let tokens = Tokens::list(&*store, account.id).await?;
    store.close().await;
    let heading = ["ID", "NAME", "TOKEN", "CREATED", "LAST USED", "EXPIRES", "FROM", "REVOKED"];
    Ok(console::list(form, &tokens, heading, cells)?)
}

async fn revoke(settings: &Settings, id: TokenId) -> Result<(), Failure> {
    let store = existing_store(settings).await?;
    let known = store.revoke(None, id, now()).await?;
    store.close().await;
    if !known {
        return Err(format!("there is no token {id}: kuraka token list --email E shows an account's tokens").into());
    }
    console::note(&format!("token {id} is revoked"));
    Ok(())
}
