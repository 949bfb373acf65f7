//! The lines of a generated padrón, one taxpayer after the other.

use encoding_rs::WINDOWS_1252;
use kuraka_domain::{Ruc, RucKind};

use super::number::Numbers;
use super::parameters::Padron;
use super::random::{Part, Random};
use super::{address, name, quirk, status};

/// Natural persons have a placeholder in every column of the address.
const NO_ADDRESS: &str = "-|-|-|-|-|-|-|-|-|-|-|";

/// A line, with its properties for tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The taxpayer's number; `None` for a line of noise.
    pub ruc: Option<Ruc>,
    /// The name as it is in the line, quirks included; empty for a line of noise.
    pub name: String,
    /// The line in windows-1252, without its end.
    pub line: Vec<u8>,
}

/// The rows of a [`Padron`], in the file's order. Made by [`Padron::rows`].
#[derive(Clone, Debug)]
pub struct Rows {
    padron: Padron,
    next: u32,
    persons: Numbers,
    estates: Numbers,
    foreigners: Numbers,
    companies: Numbers,
}

impl Padron {
    /// The rows, in the file's order.
    #[must_use]
    pub const fn rows(self) -> Rows {
        Rows::new(self)
    }

    /// The RUCs of the rows, in the file's order. Much faster than [`Padron::rows`].
    #[must_use]
    pub const fn rucs(self) -> Rucs {
        Rucs(Rows::new(self))
    }
}

impl Rows {
    const fn new(padron: Padron) -> Self {
        let seed = padron.seed;
        Self {
            padron,
            next: 0,
            persons: Numbers::new(RucKind::NaturalPerson, seed),
            estates: Numbers::new(RucKind::Estate, seed),
            foreigners: Numbers::new(RucKind::Foreigner, seed),
            companies: Numbers::new(RucKind::LegalPerson, seed),
        }
    }

    fn random(&self, part: Part) -> Random {
        Random::new(self.padron.seed, self.next, part)
    }

    /// The row's number, or `None` for noise; in the outer `Option`, `None` when no number is left.
    fn draw_ruc(&mut self) -> Option<Option<Ruc>> {
        let mut random = self.random(Part::Identity);
        if random.once_in(quirk::more_frequent(quirk::NOISE, self.padron.quirks)) {
            return Some(None);
        }
        // Shares of the prefixes in August 2026.
        let numbers = match random.below(100_000) {
            0..84_205 => &mut self.persons,
            84_205..86_731 => &mut self.estates,
            86_731..87_242 => &mut self.foreigners,
            _ => &mut self.companies,
        };
        numbers.next().map(Some)
    }

    fn taxpayer(&self, ruc: Ruc) -> Row {
        let mut random = self.random(Part::Name);
        let mut name = String::with_capacity(48);
        name::push(&mut random, ruc.kind(), &mut name);
        quirk::damage(&mut random, ruc.kind(), self.padron.quirks, &mut name);

        let company = ruc.kind() == RucKind::LegalPerson;
        let mut change = self.random(Part::Change);
        let changed = self.padron.changes(self.next, change.next());
        let moved = changed && company && change.once_in(3);
        let mut random = self.random(Part::Status);
        let (mut status, condition) = status::draw(&mut random);
        if changed && !moved {
            status = status::draw_other(&mut random, status);
        }

        let mut text = String::with_capacity(160);
        text.push_str(&ruc.to_string());
        for column in [name.as_str(), status, condition] {
            text.push('|');
            text.push_str(column);
        }
        text.push('|');
        if company {
            let mut random = if moved { change } else { self.random(Part::Address) };
            address::push(&mut random, &mut text);
        } else {
            text.push_str(NO_ADDRESS);
        }

        Row { ruc: Some(ruc), line: encode(&text), name }
    }
}

impl Iterator for Rows {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.next >= self.padron.len() {
            return None;
        }
        let row = match self.draw_ruc()? {
            Some(ruc) => self.taxpayer(ruc),
            None => Row { ruc: None, name: String::new(), line: encode(quirk::NOISE_LINE) },
        };
        self.next += 1;
        Some(row)
    }
}

/// The RUCs of a [`Padron`], in the file's order. Made by [`Padron::rucs`].
#[derive(Clone, Debug)]
pub struct Rucs(Rows);

impl Iterator for Rucs {
    type Item = Ruc;

    fn next(&mut self) -> Option<Ruc> {
        while self.0.next < self.0.padron.len() {
            let drawn = self.0.draw_ruc()?;
            self.0.next += 1;
            if drawn.is_some() {
                return drawn;
            }
        }
        None
    }
}

/// The text in windows-1252, which has every character that this module writes.
pub(crate) fn encode(text: &str) -> Vec<u8> {
    WINDOWS_1252.encode(text).0.into_owned()
}
