//! As much of Rust's syntax as the rules need: words and signs with their lines, without comments.

/// A word, a literal or a sign of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    /// As written. `::` is one token, every other sign is one character.
    pub(crate) text: &'a str,
    /// Counted from 1.
    pub(crate) line: usize,
}

impl Token<'_> {
    /// Whether it is a keyword or a name.
    pub(crate) fn is_word(&self) -> bool {
        self.text.starts_with(is_word_start)
    }
}

/// The tokens of a file. Text inside a string is one token that begins with its quote; comments are none.
pub(crate) fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut rest, mut line) = (code, 1);
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first);
        let (text, after) = rest.split_at(length);
        if !first.is_whitespace() && !text.starts_with("//") && !text.starts_with("/*") {
            found.push(Token { text, line });
        }
        line += text.matches('\n').count();
        rest = after;
    }
    found
}

/// The tokens of a file without the items that only unit tests have, such as `#[cfg(test)] mod tests { … }`.
pub(crate) fn tokens_without_unit_tests(code: &str) -> Vec<Token<'_>> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let all = tokens(code);
    let mut found = Vec::with_capacity(all.len());
    let mut next = 0;
    while let Some(token) = all.get(next) {
        if all.iter().skip(next).map(|token| token.text).take(MARK.len()).eq(MARK) {
            next += MARK.len() + item_length(all.iter().skip(next + MARK.len()));
        } else {
            found.push(*token);
            next += 1;
        }
    }
    found
}

/// How many tokens the item at the start of `rest` has: up to its `;`, or to the `}` of its body.
fn item_length<'a>(rest: impl ExactSizeIterator<Item = &'a Token<'a>>) -> usize {
    let (mut depth, length) = (0_usize, rest.len());
    for (at, token) in rest.enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            "}" if depth == 1 => return at + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return at + 1,
            _ => {}
        }
    }
    length
}

/// How many bytes the token at the start of `rest` has. A comment and a blank count as tokens here.
fn token_length(rest: &str, first: char) -> usize {
    let up_to = |end: &str| rest.find(end).map_or(rest.len(), |at| at + end.len());
    if rest.starts_with("//") {
        rest.find('\n').unwrap_or(rest.len())
    } else if rest.starts_with("/*") {
        up_to("*/")
    } else if rest.starts_with("::") {
        2
    } else if let Some(hashes) = raw_string(rest) {
        raw_string_end(rest, hashes)
    } else if first == '"' {
        quoted(rest, '"')
    } else if first == '\'' {
        character(rest)
    } else if is_word_start(first) {
        rest.find(|c: char| !is_word_start(c) && !c.is_numeric()).unwrap_or(rest.len())
    } else {
        first.len_utf8()
    }
}

/// The hashes of a raw string such as `r#"…"#` or `br"…"` at the start of `rest`.
fn raw_string(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let quoted = after.trim_start_matches('#');
    quoted.starts_with('"').then_some(after.len() - quoted.len())
}

/// Where the raw string at the start of `rest` ends.
fn raw_string_end(rest: &str, hashes: usize) -> usize {
    let start = rest.find('"').map_or(0, |at| at + 1);
    let end = format!("\"{}", "#".repeat(hashes));
    rest.get(start..).and_then(|text| text.find(&end)).map_or(rest.len(), |at| start + at + end.len())
}

/// The length of the literal that begins and ends with `quote`.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    rest.len()
}

/// The length of a character such as `'a'`, or of the sign that begins a lifetime.
fn character(rest: &str) -> usize {
    let mut after = rest.chars().skip(1);
    match (after.next(), after.next()) {
        (Some('\\'), _) | (Some(_), Some('\'')) => quoted(rest, '\''),
        (Some(_) | None, _) => 1,
    }
}

fn is_word_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

#[test]
fn words_and_signs_have_their_lines() {
    let found: Vec<(&str, usize)> = tokens("use a::b2;\nlet x = 'y';").iter().map(|t| (t.text, t.line)).collect();
    let words = [("use", 1), ("a", 1), ("::", 1), ("b2", 1), (";", 1), ("let", 2), ("x", 2), ("=", 2), ("'y'", 2)];
    assert_eq!(found, [&words[..], &[(";", 2)]].concat());
}

#[test]
fn code_behind_a_unit_test_is_read() {
    let code =
        "mod a;\n#[cfg(test)]\nmod tests;\nmod b;\n#[cfg(test)]\n#[path = \"x\"]\nmod more { fn f() {} }\nmod c;";
    let texts: Vec<&str> = tokens_without_unit_tests(code).iter().map(|token| token.text).collect();
    assert_eq!(texts, ["mod", "a", ";", "mod", "b", ";", "mod", "c", ";"]);
}

#[test]
fn comments_are_no_tokens() {
    assert_eq!(tokens("// crate::a\n//! crate::b\n/* crate::c\n */\n"), []);
}

#[test]
fn a_string_is_one_token() {
    let texts = |code| tokens(code).iter().map(|token| token.text).collect::<Vec<_>>();
    assert_eq!(texts(r#"f("a \" // b");"#), ["f", "(", r#""a \" // b""#, ")", ";"]);
    assert_eq!(texts(r##"r#"a " b"# c"##), [r##"r#"a " b"#"##, "c"]);
    assert_eq!(texts(r#"r"a\" c"#), [r#"r"a\""#, "c"]);
}

#[test]
fn a_lifetime_is_no_character() {
    let texts: Vec<&str> = tokens(r"&'a str, '\'', '::'").iter().map(|token| token.text).collect();
    assert_eq!(texts, ["&", "'", "a", "str", ",", r"'\''", ",", "'", "::", "'"]);
}
