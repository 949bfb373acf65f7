//! Figures of searches by name for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_search REGISTRY QUERIES FOLDER
//! ```
//!
//! The words are those of random companies of the registry. FOLDER gets the queries (kind, words, results of the page) and
//! the companies in the order of results (folded name, record), for the peers of the bench.

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write as _;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use kuraka_domain::name::{SearchMode, folded, words};
use kuraka_domain::{NameQuery, RucKind, TaxpayerStatus, TaxpayerSummary};
use kuraka_measure::{Figures, Random, share};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Edition, open_current};

/// Results of a page.
const PAGE: usize = 20;
/// Times that each query is run. Its shortest time counts: the first run warms up, and a machine does other things too.
const RUNS: u32 = 10;
/// Companies with a rare part of a word at most.
const RARE_PART: usize = 500;
/// Letters of a part of a word.
const PART: usize = 5;
/// Uses of a rare word at most.
const RARE: usize = 10;

/// The kinds of queries.
const KINDS: [&str; 3] = ["prefix", "two_words", "rare_substring"];

fn main() -> Figures {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, count, out] = arguments.as_slice() else {
        return Err("usage: measure_search REGISTRY QUERIES FOLDER".into());
    };
    let (count, out) = (count.parse()?, Path::new(out));
    let edition = open_current(Path::new(folder), &PADRON)?.edition.ok_or("the padrón has no edition")?;
    let companies = companies(&edition)?;
    let mut queries = Queries::new(&edition, &companies);
    let mut written = String::new();
    for kind in KINDS {
        let queries: Vec<NameQuery> = (0..count).filter_map(|_| queries.next(kind)).collect();
        let (mut fastest, mut found) = (vec![u32::MAX; queries.len()], Vec::new());
        for _ in 0..RUNS {
            found = run(&edition, &queries, &mut fastest)?;
        }
        for (query, found) in queries.iter().zip(&found) {
            writeln!(written, "{kind}\t{}\t{found}", query.words.join(" "))?;
        }
        fastest.sort_unstable();
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            println!("{kind}_{name}_nanoseconds {}", share(&fastest, part));
        }
    }
    std::fs::write(out.join("queries.tsv"), written)?;
    write_companies(companies, &out.join("companies.tsv"))
}

/// Writes the companies in the order of results: folded name, and the fields of a record.
fn write_companies(mut companies: Vec<TaxpayerSummary>, file: &Path) -> Figures {
    let is_inactive = |company: &TaxpayerSummary| company.status != TaxpayerStatus::Active;
    companies.sort_by_cached_key(|company| (is_inactive(company), folded(&company.name), company.ruc));
    let mut out = BufWriter::new(File::create(file)?);
    for company in companies {
        let (active, name, ruc) = (u8::from(!is_inactive(&company)), &company.name, company.ruc);
        let (status, condition, department) = (&company.status, &company.condition, company.department());
        let (status, condition, address) = (status.as_str(), condition.as_str(), &company.address);
        let folded = folded(name);
        writeln!(out, "{active}\t{folded}\t{ruc}\t{name}\t{status}\t{condition}\t{address}\t{department}")?;
    }
    Ok(out.flush()?)
}

/// Every company.
fn companies(edition: &Edition) -> Result<Vec<TaxpayerSummary>, Box<dyn Error>> {
    let mut companies = Vec::new();
    for ruc in edition.rucs() {
        let ruc = ruc?;
        if ruc.kind() == RucKind::LegalPerson {
            companies.extend(edition.summary(ruc)?);
        }
    }
    Ok(companies)
}

/// A search for the first results.
fn query(words: Vec<String>, mode: SearchMode, limit: usize) -> NameQuery {
    NameQuery { words, mode, status: None, condition: None, department: None, limit, after: None }
}

/// Makes queries of the words of random companies.
struct Queries<'c> {
    edition: &'c Edition,
    companies: &'c [TaxpayerSummary],
    /// Companies that have each word.
    uses: HashMap<String, usize>,
    random: Random,
}

impl<'c> Queries<'c> {
    fn new(edition: &'c Edition, companies: &'c [TaxpayerSummary]) -> Self {
        let mut uses = HashMap::new();
        for word in companies.iter().flat_map(|company| words(&company.name)) {
            *uses.entry(word).or_default() += 1;
        }
        Self { edition, companies, uses, random: Random(0x9e37_79b9_7f4a_7c15) }
    }

    /// A query of this kind; `None` if the random company is not fit for it.
    fn next(&mut self, kind: &str) -> Option<NameQuery> {
        for _ in 0..1000 {
            let company = self.companies.get(self.random.below(self.companies.len()))?;
            let mut names = words(&company.name);
            names.dedup();
            let (mode, words) = match kind {
                "prefix" => {
                    let name = names.join(" ");
                    let end = 3 + self.random.below(name.len().saturating_sub(2));
                    let words = name.get(..end).map(|name| name.split(' ').map(str::to_owned).collect());
                    (SearchMode::Prefix, words)
                }
                "two_words" => {
                    let mut word = || (!names.is_empty()).then(|| names.swap_remove(self.random.below(names.len())));
                    (SearchMode::Words, word().zip(word()).map(|(first, second)| vec![first, second]))
                }
                _ => {
                    let uses = |word: &String| self.uses.get(word).copied().unwrap_or_default();
                    let fits = |word: &String| word.is_ascii() && word.len() >= 6 && uses(word) <= RARE;
                    let part = names.into_iter().find(fits).map(|word| {
                        let start = self.random.below(word.len() + 1 - PART);
                        vec![word.chars().skip(start).take(PART).collect()]
                    });
                    (SearchMode::Contains, part)
                }
            };
            let Some(words) = words else { continue };
            if mode == SearchMode::Contains && !self.is_rare(&words)? {
                continue;
            }
            return Some(query(words, mode, PAGE));
        }
        None
    }

    /// Whether few companies have these parts of words.
    fn is_rare(&self, words: &[String]) -> Option<bool> {
        let limit = RARE_PART + 1;
        let found = self.edition.search(&query(words.to_vec(), SearchMode::Contains, limit));
        Some(found.ok()??.taxpayers.len() < limit)
    }
}

/// Runs each query and keeps its shortest time, in nanoseconds. Returns the results of each.
fn run(edition: &Edition, queries: &[NameQuery], fastest: &mut [u32]) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut results = Vec::with_capacity(queries.len());
    for (query, fastest) in queries.iter().zip(fastest) {
        let start = Instant::now();
        let found = black_box(edition.search(black_box(query))?).ok_or("the edition has no index of names")?;
        *fastest = (*fastest).min(start.elapsed().as_nanos() as u32);
        results.push(found.taxpayers.len());
    }
    Ok(results)
}
