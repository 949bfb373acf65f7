//! The API's description, as the page of documentation shows it. Whoever answers the API describes it; nothing is known
//! of it here.

/// All of it.
#[derive(Clone, Debug, Default)]
pub struct Reference {
    /// The operations, in the order in which they are shown.
    pub operations: Vec<Operation>,
    /// The codes of all of them.
    pub codes: Vec<Code>,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// A word for its place on the page.
    pub id: &'static str,
    /// How it is asked: `POST`.
    pub method: String,
    /// Where, without what stands before it.
    pub path: String,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// What it does, in a sentence or two.
    pub description: &'static str,
    /// An example of what is sent; empty = nothing is.
    pub request: String,
    /// An example of what comes back.
    pub answer: String,
    /// The codes it may answer with.
    pub codes: Vec<&'static str>,
}

/// One code.
#[derive(Clone, Debug)]
pub struct Code {
    /// The code itself.
    pub code: &'static str,
    /// Its HTTP status.
    pub status: u16,
    /// Whether asking again may help.
    pub retryable: bool,
    /// What it means.
    pub message: &'static str,
}
