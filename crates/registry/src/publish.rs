//! The label of a finished edition file, and the guards that check it before publication. Also publishes editions that
//! other machines built.

mod adopt;
mod adopt_error;
mod guard;
pub(crate) mod guards;
pub(crate) mod label;
mod publish_result;

#[cfg(test)]
pub(crate) use adopt::adopt_on;
pub use adopt::{Adoption, adopt};
pub use adopt_error::AdoptError;
pub use guard::Guard;
pub use publish_result::PublishResult;
