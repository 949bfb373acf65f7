//! Password hashes.

use std::sync::Arc;

use argon2::password_hash::PasswordHasher as _;
use argon2::{Argon2, Params};
use kuraka_adapters::passwords::Passwords;
use kuraka_ports::{PasswordError, PasswordHasher};

kuraka_ports::contract!(password, Passwords, (Arc::new(Passwords::new()), ()));

#[tokio::test]
async fn a_hash_has_the_documented_parameters() {
    let hash = Passwords::new().hash("correct horse").await.unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=47104,t=1,p=1$"), "{hash}");
    assert!(!hash.contains("horse"));
}

#[tokio::test]
async fn a_hash_with_other_parameters_can_be_checked() {
    let weaker = Argon2::from(Params::new(64, 2, 1, None).unwrap());
    let hash = weaker.hash_password(b"correct horse").unwrap().to_string();
    assert!(Passwords::new().verify("correct horse", &hash).await.unwrap());
    assert!(!Passwords::new().verify("wrong horse", &hash).await.unwrap());
}

#[tokio::test]
async fn a_text_that_is_no_hash_says_what_to_do() {
    let outcome = Passwords::new().verify("secret", "$bcrypt$v=1$abc$def").await;
    let Err(PasswordError::Failed(cause)) = outcome else { panic!("{outcome:?}") };
    assert!(cause.to_string().ends_with("set the password again"), "{cause}");
}
