//! The contract as its clients use it: records that are read back, descriptions that fit together.

mod operations;
mod records;
