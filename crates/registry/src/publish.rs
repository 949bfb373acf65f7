//! The label of a finished edition file, and the guards that check it before publication. Also publishes editions that
//! other machines built.

mod adopt;
mod adopt_error;
mod guard;
pub(crate) mod guards;
pub(crate) mod label;
mod publish_result;

pub use adopt::{Adoption, adopt};
pub(crate) use adopt::{Take, adopt_on, renumber};
pub use adopt_error::AdoptError;
pub use guard::Guard;
pub use guards::Refusal;
pub use publish_result::PublishResult;
