#![doc = include_str!("../README.md")]

pub mod dataset;
pub mod padron;
pub mod workbook;
pub mod zip_file;
