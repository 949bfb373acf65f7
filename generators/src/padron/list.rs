//! The lists of withholding agents and of good taxpayers: four columns, and records that end with a bare CR.
//!
//! As in the published lists, one record in a hundred has its name in quotes and one in five hundred comes twice.

use std::io::{self, Write};

use super::file::LIST_HEADER;
use super::random::{Part, Random};
use super::row::{Row, encode};

/// A list under way.
#[derive(Debug)]
pub struct List<W: Write> {
    out: W,
    random: Random,
}

impl<W: Write> List<W> {
    /// Starts a list with its header.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn new(mut out: W, seed: u64) -> io::Result<Self> {
        out.write_all(&encode(LIST_HEADER))?;
        out.write_all(b"\r")?;
        Ok(Self { out, random: Random::new(seed, u32::MAX, Part::Lists) })
    }

    /// Appends a taxpayer. A line of noise is not a taxpayer and is left out.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn push(&mut self, row: &Row) -> io::Result<()> {
        let Some(ruc) = row.ruc else { return Ok(()) };
        let random = &mut self.random;
        let quote = if random.once_in(100) { "\"" } else { "" };
        let (day, month, year) = (1, random.below(12) + 1, 2002 + random.below(24));
        let resolution = random.below(300) + 1;
        // A pipe in a name would break the record; none is known in the published lists.
        let name = row.name.replace('|', " ");
        let record =
            encode(&format!("{ruc}|{quote}{name}{quote}|{day:02}/{month:02}/{year}|RS R.S.{resolution:03}-{year}|\r"));
        let times = if random.once_in(500) { 2 } else { 1 };
        for _ in 0..times {
            self.out.write_all(&record)?;
        }
        Ok(())
    }

    /// Ends the list and returns the writer that it was written to.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
