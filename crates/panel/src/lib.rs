#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

mod account_data;
mod assets;
mod brand;
mod call;
mod cookie;
mod csrf;
mod documentation;
mod error;
mod large_answer;
mod layout;
mod login_session;
mod mails;
pub mod operator;
mod pages;
mod panel;
mod request;
mod response;
mod return_page;
pub mod routes;
mod security_headers;
mod site;
pub mod source_status;
mod spanish;

pub use account_data::account_data;
pub use brand::{Brand, Colour};
pub use call::PageCallSlot;
pub use documentation::Documentation;
pub use error::PageError;
pub use large_answer::{LargeBody, SMALL_ANSWER_BYTES};
pub use mails::mail_message;
pub use pages::{change_text, list_workbook, ruc_cell_error};
pub use panel::Panel;
pub use routes::configure;
pub use site::Site;
pub use source_status::{ServiceStatus, Sources};
pub use spanish::{exchange_rate_error, search_field_error};
