//! Entries of SUNAT's lists, with what goes wrong in them.

use kuraka_domain::{Date, Ruc, RucKind};

use crate::padron::random::{Part, Random};
use crate::padron::{Padron, name};

/// The header of the four lists.
pub const LIST_COLUMNS: [&str; 4] = ["Ruc", "Nombre/Razon", "A partir del", "Resolucion"];

/// Since when a taxpayer is on a list, as published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// A day.
    Day(Date),
    /// A day that no calendar has.
    Broken,
    /// Nothing.
    Missing,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListEntry {
    /// The taxpayer.
    pub ruc: Ruc,
    /// The name, which may have quotes and a pipe.
    pub name: String,
    /// Since when.
    pub since: Since,
    /// The resolution; `None` is published as `-`.
    pub resolution: Option<String>,
}

impl ListEntry {
    fn draw(ruc: Ruc, random: &mut Random, repeated: u32) -> Self {
        let mut text = String::new();
        name::push(random, ruc.kind(), &mut text);
        if random.once_in(repeated) {
            text = text.replacen(' ', "|", 1);
        }
        if random.once_in(repeated) {
            text = format!("\"{text}\"");
        }
        let year = 2002 + random.below(24) as u16;
        let since = match random.below(repeated * 2) {
            0 => Since::Broken,
            1 => Since::Missing,
            _ => Date::new(year, random.below(12) as u8 + 1, random.below(28) as u8 + 1)
                .map_or(Since::Broken, Since::Day),
        };
        let number = random.below(300) + 1;
        let resolution = (!random.once_in(repeated)).then(|| format!("RS R.S.{number:03}-{year}"));
        Self { ruc, name: text, since, resolution }
    }

    /// The cells of the line.
    pub fn cells(&self) -> [String; 4] {
        let since = match self.since {
            Since::Day(day) => day.dmy().to_string(),
            Since::Broken => "31/02/2002".to_owned(),
            Since::Missing => String::new(),
        };
        let resolution = self.resolution.as_deref().unwrap_or("-");
        [self.ruc.to_string(), self.name.clone(), since, resolution.to_owned()]
    }
}

/// The entries of list number `list`: about one in `one_in` companies of the padrón. Some entries are there twice.
pub fn list_entries(padron: Padron, list: u32, one_in: u32, quirks: u32) -> impl Iterator<Item = ListEntry> {
    let companies = padron.rucs().filter(|ruc| ruc.kind() == RucKind::LegalPerson);
    let repeated = (500 / quirks.max(1)).max(20);
    (0..).zip(companies).flat_map(move |(index, ruc)| {
        let mut random = Random::new(padron.seed() ^ u64::from(list), index, Part::ListEntry);
        let times = if !random.once_in(one_in) {
            0
        } else if random.once_in(repeated) {
            2
        } else {
            1
        };
        std::iter::repeat_with(move || ListEntry::draw(ruc, &mut random.clone(), repeated)).take(times)
    })
}
