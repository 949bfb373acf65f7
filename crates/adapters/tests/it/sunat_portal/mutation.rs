//! Changes to a page, as a site's next release or a bad connection makes them. Every change is one that a reader can
//! notice: what no reader can, such as two values exchanged, is not among them.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Elements that have no end tag.
const VOID: [&str; 6] = ["br", "hr", "img", "input", "link", "meta"];
/// What an element may be renamed to, or wrapped in.
const NAMES: [&str; 9] = ["div", "span", "p", "section", "td", "tr", "table", "h4", "x-new"];
/// What a label may be renamed to.
const LABELS: [&str; 5] = ["Dato", "", "Padrones:", "Afiliado al PLE desde:", "Nombre Comercial:"];
/// Parts of the labels whose rows may be absent from a page: no reader can tell that one was removed.
const MAY_BE_ABSENT: [&str; 3] = ["Contabili", "PLE desde", "Tipo de Documento"];

/// Numbers that follow from a seed (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// An element of the source, by byte offsets.
#[derive(Clone, Debug)]
struct Element {
    name: String,
    start_tag: Range<usize>,
    end_tag: Range<usize>,
    parent: Option<usize>,
}

impl Element {
    fn span(&self) -> Range<usize> {
        self.start_tag.start..self.end_tag.end
    }

    fn content(&self) -> Range<usize> {
        self.start_tag.end..self.end_tag.start
    }
}

/// One to three changes; what was done, and the page after it.
pub(super) fn mutate(page: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let mut page = page.to_vec();
    let mut done = Vec::new();
    for number in 0..=random.below(3) {
        if let Some((what, changed)) = change(&page, number == 0, random) {
            page = changed;
            done.push(what);
        }
    }
    (done.join(", then "), page)
}

/// One change; rows are only taken away from a page whose labels are still its own.
fn change(page: &[u8], is_first: bool, random: &mut Random) -> Option<(String, Vec<u8>)> {
    let elements = elements(page);
    let rows: Vec<&Element> = elements.iter().filter(|element| is_row(page, element)).collect();
    // Most changes hit the result; some hit whatever else there is.
    let inside: Vec<&Element> = elements
        .iter()
        .filter(|element| {
            rows.iter().any(|row| row.span().start <= element.span().start && element.span().end <= row.span().end)
        })
        .collect();
    let everywhere: Vec<&Element> = elements.iter().collect();
    let is_outside = inside.is_empty() || random.below(4) == 0;
    let element = *random.pick(if is_outside { &everywhere } else { &inside })?;
    let span = element.span();
    let source = |range: Range<usize>| String::from_utf8_lossy(&page[range]).chars().take(60).collect::<String>();
    let named = |what: &str| format!("{what} {:?} at {}", source(span.clone()), span.start);
    match random.below(10) {
        0 => {
            let at = random.below(page.len());
            Some((format!("cut at {at}"), page[..at].to_vec()))
        }
        1 => {
            let first = *random.pick(&rows)?;
            let siblings: Vec<&Element> = rows.iter().copied().filter(|row| row.parent == first.parent).collect();
            let second = *random.pick(&siblings)?;
            let (a, b) = if first.span().start <= second.span().start { (first, second) } else { (second, first) };
            let (a, b) = (a.span(), b.span());
            if a.end > b.start {
                return None;
            }
            let parts = [&page[..a.start], &page[b.clone()], &page[a.end..b.start], &page[a.clone()], &page[b.end..]];
            Some((format!("reorder {:?} and {:?}", source(a.clone()), source(b.clone())), parts.concat()))
        }
        2 => {
            let labels: Vec<&Element> = elements.iter().filter(|element| is_label(page, element)).collect();
            let label = *random.pick(&labels)?;
            let name = *random.pick(&LABELS)?;
            Some((format!("rename {:?} to {name:?}", source(label.span())), replaced(page, &[(label.content(), name)])))
        }
        3 => {
            let name = *random.pick(&NAMES)?;
            let start = element.start_tag.start + 1..element.start_tag.start + 1 + element.name.len();
            let end = element.end_tag.start + 2..element.end_tag.start + 2 + element.name.len();
            Some((named(&format!("rename to {name}")), replaced(page, &[(start, name), (end, name)])))
        }
        4 => {
            let tag = &page[element.start_tag.clone()];
            let class = find(tag, b"class=").or_else(|| find(tag, b"id="))?;
            let at = element.start_tag.start + class;
            Some((named("drop the class of"), replaced(page, &[(at..at + 5, "data-")])))
        }
        5 => Some((named("duplicate"), [&page[..span.end], &page[span.start..]].concat())),
        6 => {
            let name = *random.pick(&NAMES)?;
            let (open, close) = (format!("<{name}>"), format!("</{name}>"));
            let parts =
                [&page[..span.start], open.as_bytes(), &page[span.clone()], close.as_bytes(), &page[span.end..]];
            Some((named(&format!("nest in {name}")), parts.concat()))
        }
        7 => Some((
            named("comment out"),
            [&page[..span.start], b"<!-- ", &page[span.clone()], b" -->", &page[span.end..]].concat(),
        )),
        8 if is_first => {
            let row = *random.pick(&rows)?;
            if may_be_absent(page, row) {
                return None;
            }
            Some((format!("remove {:?}", source(row.span())), replaced(page, &[(row.span(), "")])))
        }
        _ if is_first => {
            let row = *random.pick(&rows)?;
            let (from, to) = (row.span(), element.content().start);
            // Out of sight, in a script or a title, is as good as removed.
            if from.contains(&to) || is_outside && may_be_absent(page, row) {
                return None;
            }
            let moved = page[from.clone()].to_vec();
            let parts = if to < from.start {
                [&page[..to], &moved, &page[to..from.start], &page[from.end..]].concat()
            } else {
                [&page[..from.start], &page[from.end..to], &moved, &page[to..]].concat()
            };
            Some((named(&format!("move {:?} into", source(from))), parts))
        }
        _ => None,
    }
}

/// The page with these ranges, which are in order and apart, replaced.
fn replaced(page: &[u8], changes: &[(Range<usize>, &str)]) -> Vec<u8> {
    let mut changed = Vec::new();
    let mut at = 0;
    for (range, text) in changes {
        changed.extend_from_slice(&page[at..range.start]);
        changed.extend_from_slice(text.as_bytes());
        at = range.end;
    }
    changed.extend_from_slice(&page[at..]);
    changed
}

/// Whether an element is a row of a result.
fn is_row(page: &[u8], element: &Element) -> bool {
    let is_item = find(&page[element.start_tag.clone()], b"list-group-item").is_some();
    element.name == "div" && is_item && find(&page[element.content()], b"<h4").is_some()
}

/// Whether a row may be absent from a page.
fn may_be_absent(page: &[u8], row: &Element) -> bool {
    MAY_BE_ABSENT.iter().any(|label| find(&page[row.span()], label.as_bytes()).is_some())
}

/// Whether an element is a label of a result.
fn is_label(page: &[u8], element: &Element) -> bool {
    let content = &page[element.content()];
    element.name == "h4"
        && content.trim_ascii().ends_with(b":")
        && !MAY_BE_ABSENT[2..].iter().any(|label| find(content, label.as_bytes()).is_some())
}

fn find(bytes: &[u8], words: &[u8]) -> Option<usize> {
    memmem::find(bytes, words)
}

/// The elements that have both tags, comments and scripts seen through.
fn elements(page: &[u8]) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(start) = memchr(b'<', &page[at..]).map(|offset| at + offset) {
        if page[start..].starts_with(b"<!--") {
            at = find(&page[start..], b"-->").map_or(page.len(), |offset| start + offset + 3);
            continue;
        }
        let Some(end) = memchr(b'>', &page[start..]).map(|offset| start + offset + 1) else {
            break;
        };
        at = end;
        let is_end = page.get(start + 1) == Some(&b'/');
        let name: String = page[start + 1 + usize::from(is_end)..end]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-')
            .map(|byte| char::from(byte.to_ascii_lowercase()))
            .collect();
        if name.is_empty() || VOID.contains(&name.as_str()) {
            continue;
        }
        if is_end {
            if let Some(depth) = open.iter().rposition(|index| elements[*index].name == name) {
                elements[open[depth]].end_tag = start..end;
                open.truncate(depth);
            }
            continue;
        }
        if name == "script" || name == "style" {
            let close = format!("</{name}");
            at = find(&page[end..], close.as_bytes()).map_or(page.len(), |offset| end + offset);
        }
        elements.push(Element { name, start_tag: start..end, end_tag: 0..0, parent: open.last().copied() });
        open.push(elements.len() - 1);
    }
    elements.retain(|element| element.end_tag.end > 0);
    elements
}
