#![doc = include_str!("../README.md")]

pub mod sample;
pub mod upstream;
