//! Use cases of account owners: signing up, in and out, changing or forgetting a password, creating and revoking tokens.

pub mod device;
pub mod form_rate;
pub mod own_tokens;
pub mod password_rules;
pub mod requested_mails;
pub mod session_secret;
pub mod sign_in;
pub mod throttle;
