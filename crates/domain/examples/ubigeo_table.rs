//! Writes `src/ubigeo/table.rs` from `data/ubigeo_inei.csv`.
//!
//! Run it after a change of the table: `cargo run --package kuraka-domain --example ubigeo_table`.
//! A test compares the committed file with what this program would write.

use std::fmt::Write as _;

const SOURCE: &str = include_str!("../data/ubigeo_inei.csv");
const TARGET: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/ubigeo/table.rs");

/// A province: its first four digits, its name, and its districts by their last two digits.
type Province<'a> = (u16, &'a str, Vec<(u8, &'a str)>);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    std::fs::write(TARGET, table_source(SOURCE)?)?;
    Ok(())
}

/// The Rust file for a table with the columns `ubigeo,departamento,provincia,distrito`, sorted by code.
///
/// # Errors
/// Names the first line that does not have four columns or a code of six digits.
pub(crate) fn table_source(csv: &str) -> Result<String, Box<dyn std::error::Error>> {
    let mut provinces: Vec<Province<'_>> = Vec::new();
    for line in csv.lines().skip(1) {
        let [code, _department, province, district] = line.split(',').collect::<Vec<_>>()[..] else {
            return Err(format!("four columns are needed, the line is {line:?}").into());
        };
        let (province_code, district_code) =
            code.split_at_checked(4).ok_or_else(|| format!("six digits are needed, the line is {line:?}"))?;
        let (province_code, district_code) = (province_code.parse()?, district_code.parse()?);
        match provinces.last_mut() {
            Some((last, name, districts)) if *last == province_code && *name == province => {
                districts.push((district_code, district));
            }
            _ => provinces.push((province_code, province, vec![(district_code, district)])),
        }
    }

    let mut out = String::from(
        "//! The provinces and districts of Peru, in INEI's numbering and spelling.\n\
         //!\n\
         //! `examples/ubigeo_table.rs` generates this file from `data/ubigeo_inei.csv`; change those instead.\n\
         \n\
         /// A province: its first four digits, its name, and its districts by their last two digits, ascending.\n\
         pub(super) type Province = (u16, &'static str, &'static [(u8, &'static str)]);\n\
         \n\
         /// Every province with its districts, ascending by code.\n\
         #[rustfmt::skip]\n",
    );
    writeln!(out, "pub(super) static PROVINCES: [Province; {}] = [", provinces.len())?;
    for (code, name, districts) in &provinces {
        write!(out, "    ({code}, {name:?}, &[")?;
        for (index, (code, name)) in districts.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(out, "{separator}({code}, {name:?})")?;
        }
        out.push_str("]),\n");
    }
    out.push_str("];\n");
    Ok(out)
}
