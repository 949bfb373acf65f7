//! `kuraka lookup --file`: reads a file, answers its rows on several threads, and prints them in order.
//!
//! The reader gives groups of rows to the workers in turn, and the printer takes their lines in the same turn. At most a
//! few groups are in memory.

use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Seek, Write, stderr, stdin, stdout};
use std::iter::zip;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use kuraka_domain::text::folded;
use kuraka_registry::{Advance, Progress};
use kuraka_tables::{StringRecord, TableError, TableReader, XlsxLimits, ruc_column};

use super::answers::{Answers, Row, Source};
use crate::cli::Lookup;
use crate::commands::progress::ProgressReporter;
use crate::commands::runtime::Failure;

/// Rows that are answered together.
const GROUP: usize = 4_096;
/// Groups that wait for a worker, and answered groups that wait to be printed, for each worker.
const WAITING: usize = 2;
/// A workbook unpacks to about 600 bytes for each row of ten columns; a sheet has at most 1,048,576 rows.
const LIMITS: XlsxLimits = XlsxLimits { text: 1 << 30, ratio: 2_000 };

/// Rows of the file, whether they are its first, and how to answer them.
struct Group {
    rows: Vec<Row>,
    is_first: bool,
    answers: Arc<Answers>,
}

pub(super) fn run(path: &Path, lookup: &Lookup, source: Source) -> Result<(), Failure> {
    let (input, position): (Box<dyn Read + Send>, Option<File>) = if path == Path::new("-") {
        (Box::new(stdin()), None)
    } else {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        // A file and its clone have one position.
        let position = file.try_clone()?;
        (Box::new(file), Some(position).filter(|_| stderr().is_terminal() && !stdout().is_terminal()))
    };
    let input = TableReader::new(input, LIMITS)?;
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let (mut groups, mut lines) = (Vec::new(), Vec::new());
        for _ in 0..workers {
            let (give, groups_of_worker) = sync_channel::<Group>(WAITING);
            let (give_lines, lines_of_worker) = sync_channel(WAITING);
            groups.push(give);
            lines.push(lines_of_worker);
            scope.spawn(move || {
                for Group { rows, is_first, answers } in groups_of_worker {
                    if give_lines.send(answers.lines(&rows, is_first)).is_err() {
                        return;
                    }
                }
            });
        }
        let reading = scope.spawn(move || Reading::new(lookup, source, position, groups).run(input));
        let printed = print(&lines);
        // The workers end, and then the reader.
        drop(lines);
        let read = reading.join().unwrap_or_else(|_| Err("reading ended unexpectedly".into()));
        match printed {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                Err("the output was closed before every row was written".into())
            }
            Err(error) => Err(error.into()),
            Ok(()) => read,
        }
    })
}

/// Prints the lines of the workers in turn, until the one whose turn it is has ended.
fn print(lines: &[Receiver<io::Result<Vec<u8>>>]) -> io::Result<()> {
    let mut out = stdout().lock();
    for worker in lines.iter().cycle() {
        let Ok(lines) = worker.recv() else { break };
        out.write_all(&lines?)?;
    }
    out.flush()
}

/// The reading of a file.
struct Reading<'a> {
    lookup: &'a Lookup,
    /// Until the columns are known.
    source: Option<Source>,
    answers: Option<Arc<Answers>>,
    rows: Vec<Row>,
    groups: Vec<SyncSender<Group>>,
    /// Groups that were given to the workers.
    given: usize,
    progress: Option<(ProgressReporter, File, Advance)>,
}

impl<'a> Reading<'a> {
    fn new(lookup: &'a Lookup, source: Source, position: Option<File>, groups: Vec<SyncSender<Group>>) -> Self {
        let progress = position.and_then(|file| {
            let bytes_total = file.metadata().ok()?.len();
            Some((ProgressReporter::new("lookup", None), file, Advance { bytes_read: 0, bytes_total, rows: 0 }))
        });
        Self { lookup, source: Some(source), answers: None, rows: Vec::new(), groups, given: 0, progress }
    }

    fn run(mut self, input: TableReader<Box<dyn Read + Send>>) -> Result<(), Failure> {
        let delimiter = input.delimiter();
        let read = input.rows(|line, row| self.push(delimiter, line, row));
        let read = read.and_then(|()| self.give());
        if let Some((reporter, ..)) = &self.progress {
            reporter.done();
        }
        match read {
            Err(Stop::Failed(error)) => Err(error),
            Err(Stop::Closed) => Ok(()),
            Ok(()) if self.given == 0 => Err(TableError::Empty.into()),
            Ok(()) => Ok(()),
        }
    }

    fn push(&mut self, delimiter: u8, line: u64, row: &mut StringRecord) -> Result<(), Stop> {
        if let Some(source) = self.source.take() {
            let (ruc, has_names) = match &self.lookup.column {
                None => ruc_column(row).ok_or(TableError::NoRuc)?,
                Some(name) => (named(row, name)?, true),
            };
            let date = self.lookup.date_column.as_ref().map(|name| named(row, name)).transpose()?;
            let has_names = has_names || date.is_some();
            let unnamed = |at| if at == ruc { "ruc".to_owned() } else { format!("columna_{}", at + 1) };
            let columns = zip(&*row, 0..).map(|(name, at)| if has_names { name.to_owned() } else { unnamed(at) });
            let answers = Answers::new(source, self.lookup.output, delimiter, (ruc, date), columns.collect());
            self.answers = Some(Arc::new(answers));
            if has_names {
                return Ok(());
            }
        }
        self.rows.push((line, std::mem::take(row)));
        if self.rows.len() < GROUP { Ok(()) } else { self.give() }
    }

    /// Gives the rows to the worker whose turn it is.
    fn give(&mut self) -> Result<(), Stop> {
        let Some(answers) = self.answers.clone() else { return Ok(()) };
        let (rows, is_first) = (std::mem::take(&mut self.rows), self.given == 0);
        if let Some((reporter, file, advance)) = &mut self.progress {
            advance.rows += rows.len() as u64;
            advance.bytes_read = file.stream_position().unwrap_or(advance.bytes_read);
            reporter.advanced(*advance);
        }
        let worker = self.groups.iter().cycle().nth(self.given % self.groups.len().max(1));
        self.given += 1;
        worker.and_then(|worker| worker.send(Group { rows, is_first, answers }).ok()).ok_or(Stop::Closed)
    }
}

/// Why the reading of a file stops.
enum Stop {
    Failed(Failure),
    /// The reader of the output has closed it.
    Closed,
}

impl<E: Into<Failure>> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The position of the column with this name.
fn named(header: &StringRecord, name: &str) -> Result<usize, Failure> {
    let same = header.iter().position(|column| column.trim() == name.trim());
    let alike = || header.iter().position(|column| folded(column) == folded(name));
    same.or_else(alike).ok_or_else(|| {
        let columns: Vec<_> = header.iter().map(|column| format!("{:?}", column.trim())).collect();
        format!("the file has no column {name:?}; its first row is {}", columns.join(", ")).into()
    })
}
