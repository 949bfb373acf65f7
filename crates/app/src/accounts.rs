//! What an account's owner does: sign up, in and out, change a password, make and revoke tokens.

pub mod own_tokens;
pub mod password_rules;
pub mod session_secret;
pub mod sign_in;
pub mod throttle;
