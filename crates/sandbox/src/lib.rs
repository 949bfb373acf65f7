#![doc = include_str!("../README.md")]
#![expect(missing_docs, reason = "not published: a name or the text of an error may say it all")]

pub mod sample;
pub mod upstream;
