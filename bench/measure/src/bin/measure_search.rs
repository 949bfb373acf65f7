//! Figures of searches by name for the benchmark table, one `name value` a line.
//!
//! ```text
//! measure_search REGISTRY QUERIES [FOLDER]
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
use kuraka_domain::{RucKind, TaxpayerStatus, TaxpayerSummary};
use kuraka_registry::dataset::PADRON;
use kuraka_registry::{Edition, NameSearch, open_current};

/// Results of a page.
const PAGE: usize = 20;
/// Times that each query is run. Its shortest time counts: the first run warms up, and a machine does other things too.
const RUNS: u32 = 10;
/// Companies with a rare part of a word at most.
const RARE_PART: usize = 500;
/// Uses of a rare word at most.
const RARE: usize = 10;

type Figures = Result<(), Box<dyn Error>>;

/// The kinds of queries.
const KINDS: [&str; 8] = [
    "prefix",
    "prefix_filtered",
    "two_words",
    "two_beginnings",
    "two_words_filtered",
    "rare_word",
    "rare_substring",
    "common_substring",
];

fn main() -> Figures {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (folder, count, out) = match arguments.as_slice() {
        [folder, count] => (Path::new(folder), count.parse()?, None),
        [folder, count, out] => (Path::new(folder), count.parse()?, Some(Path::new(out))),
        _ => return Err("usage: measure_search REGISTRY QUERIES [FOLDER]".into()),
    };
    let edition = open_current(folder, &PADRON)?.edition.ok_or("the padrón has no edition")?;
    let companies = companies(&edition)?;
    println!("companies {}", companies.len());
    let mut queries = Queries::new(&edition, &companies);
    let mut written = String::new();
    for kind in KINDS {
        let queries: Vec<Query> = (0..count).filter_map(|_| queries.next(kind)).collect();
        let (mut fastest, mut found) = (vec![u64::MAX; queries.len()], Vec::new());
        for _ in 0..RUNS {
            found = run(&edition, &queries, &mut fastest)?;
        }
        for (query, found) in queries.iter().zip(&found) {
            writeln!(written, "{kind}\t{}\t{found}", query.words.join(" "))?;
        }
        let full = found.iter().filter(|found| **found == PAGE).count();
        fastest.sort_unstable();
        println!("{kind}_queries {}", fastest.len());
        println!("{kind}_full_pages {full}");
        for (name, share) in [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("max", 1.0)] {
            let place = (fastest.len().saturating_sub(1) as f64 * share) as usize;
            println!("{kind}_{name}_nanoseconds {}", fastest.get(place).copied().unwrap_or_default());
        }
    }
    if let Some(out) = out {
        std::fs::write(out.join("queries.tsv"), written)?;
        write_companies(companies, &out.join("companies.tsv"))?;
    }
    Ok(())
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

/// A search for a first page.
struct Query {
    words: Vec<String>,
    matching: SearchMode,
    status: Option<TaxpayerStatus>,
    department: Option<&'static str>,
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
    fn next(&mut self, kind: &str) -> Option<Query> {
        for _ in 0..1000 {
            let company = self.companies.get(self.random.below(self.companies.len()))?;
            let mut names = words(&company.name);
            let matching = match kind {
                "prefix" | "prefix_filtered" => SearchMode::Prefix,
                "rare_substring" | "common_substring" => SearchMode::Contains,
                _ => SearchMode::Words,
            };
            names.dedup();
            let chosen = match kind {
                "prefix" | "prefix_filtered" => {
                    let name = names.join(" ");
                    let end = 3 + self.random.below(name.len().saturating_sub(2));
                    name.get(..end).map(|name| name.split(' ').map(str::to_owned).collect())
                }
                "two_words" | "two_words_filtered" | "two_beginnings" => {
                    let mut word = || (!names.is_empty()).then(|| names.swap_remove(self.random.below(names.len())));
                    let two = word().zip(word()).map(|(first, second)| vec![first, second]);
                    if kind == "two_beginnings" {
                        two.map(|two| two.iter().map(|word| self.cut(word, 2, 5)).collect())
                    } else {
                        two
                    }
                }
                _ => {
                    let is_rare = kind.starts_with("rare");
                    let fits = |word: &String| {
                        let uses = self.uses.get(word).copied().unwrap_or_default();
                        word.is_ascii() && word.len() >= 6 && is_rare == (uses <= RARE)
                    };
                    let word = names.into_iter().find(fits);
                    word.map(|word| {
                        let length = match kind {
                            "rare_word" => return vec![word],
                            "rare_substring" => 5,
                            _ => 3,
                        };
                        let start = self.random.below(word.len() + 1 - length);
                        vec![word.chars().skip(start).take(length).collect()]
                    })
                }
            };
            let Some(words) = chosen else { continue };
            if kind == "rare_substring" && !self.is_rare(&words)? {
                continue;
            }
            let is_filtered = kind.ends_with("filtered");
            let (of_status, other) = (self.random.below(2) == 0, self.random.below(self.companies.len()));
            let other = self.companies.get(other).unwrap_or(company);
            let status = (is_filtered && of_status).then(|| other.status.clone());
            let department = (is_filtered && !of_status).then(|| other.department());
            return Some(Query { words, matching, status, department });
        }
        None
    }

    /// Whether few companies have these parts of words.
    fn is_rare(&self, words: &[String]) -> Option<bool> {
        let limit = RARE_PART + 1;
        let (matching, status, condition, department, after) = (SearchMode::Contains, None, None, None, None);
        let search = NameSearch { words, matching, status, condition, department, limit, after };
        Some(self.edition.search(&search).ok()??.taxpayers.len() < limit)
    }

    /// The first letters of a word.
    fn cut(&mut self, word: &str, least: usize, most: usize) -> String {
        let length = least + self.random.below(most - least + 1);
        word.chars().take(length).collect()
    }
}

/// Runs each query and keeps its shortest time, in nanoseconds. Returns the results of each.
fn run(edition: &Edition, queries: &[Query], fastest: &mut [u64]) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut results = Vec::with_capacity(queries.len());
    for (query, fastest) in queries.iter().zip(fastest) {
        let Query { words, matching, status, department } = query;
        let (matching, status, department) = (*matching, status.as_ref(), *department);
        let search = NameSearch { words, matching, status, condition: None, department, limit: PAGE, after: None };
        let start = Instant::now();
        let found = black_box(edition.search(black_box(&search))?).ok_or("the edition has no index of names")?;
        *fastest = (*fastest).min(start.elapsed().as_nanos() as u64);
        results.push(found.taxpayers.len());
    }
    Ok(results)
}

/// Numbers by xorshift, good enough for choosing.
struct Random(u64);

impl Random {
    const fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        if limit == 0 { 0 } else { (self.0 % limit as u64) as usize }
    }
}
