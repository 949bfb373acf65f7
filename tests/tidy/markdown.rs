//! As much of Markdown as the rules need: text without code, links, headings, rows of tables.

/// The text with a blank instead of each character of code, fenced or between backticks. Line numbers do not change.
pub(crate) fn without_code(text: &str) -> String {
    let mut fenced = false;
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let mut in_code = false;
            for c in line.chars() {
                in_code ^= c == '`';
                out.push(if in_code || c == '`' { ' ' } else { c });
            }
        }
        out.push('\n');
    }
    out
}

/// The targets of `[text](target)` and `[name]: target`, with their lines, which count from 1.
pub(crate) fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, line) in without_code(text).lines().enumerate() {
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
        let named = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target.trim());
        found.extend(inline.chain(named).map(|target| (index + 1, target.to_owned())));
    }
    found
}

/// Anchors of the headings, as renderers make them: lower case, hyphens for blanks, no punctuation.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    headings(text)
        .map(|(_, heading)| {
            heading
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect::<String>()
                .to_lowercase()
        })
        .collect()
}

/// Headings outside code, each with its level.
pub(crate) fn headings(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().filter_map(move |line| {
        fenced ^= line.trim_start().starts_with("```");
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        (!fenced && level > 0).then(|| heading.strip_prefix(' ').map(|heading| (level, heading.trim()))).flatten()
    })
}

/// Rows of tables with trimmed cells and their lines, which count from 1, without the separator below the head.
pub(crate) fn table_rows(text: &str) -> Vec<(usize, Vec<&str>)> {
    let rows = text.lines().enumerate().filter_map(|(index, line)| {
        let inner = line.trim().strip_prefix('|')?.strip_suffix('|')?;
        let is_rule = inner.chars().all(|c| matches!(c, '-' | ':' | '|' | ' '));
        (!is_rule).then(|| (index + 1, inner.split('|').map(str::trim).collect()))
    });
    rows.collect()
}

#[test]
fn links_are_found_outside_code() {
    let text = "[a](b.md) and [c](d.md#e \"t\")\n`[x](y)`\n```\n[x](y)\n```\n[n]: f.md\n";
    assert_eq!(links(text), [(1, "b.md".to_owned()), (1, "d.md#e".to_owned()), (6, "f.md".to_owned())]);
}

#[test]
fn headings_become_anchors() {
    assert_eq!(
        anchors("# The picture\n```\n# not one\n```\n## `POST /ruc`: a call\n"),
        ["the-picture", "post-ruc-a-call"]
    );
}
