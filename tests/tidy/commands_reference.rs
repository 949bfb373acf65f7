//! docs/reference/commands.md lists the commands and options that the command line has.

use crate::markdown::table_rows;
use crate::tree::{Finding, Tree};

const PAGE: &str = "docs/reference/commands.md";
/// How the path of each file begins that defines commands.
const CODE: &str = "crates/cli/src/cli";
/// The enum of the commands. Each other enum has the subcommands of the command with its name.
const TOP: &str = "Command";

pub(crate) fn findings(tree: &Tree) -> Vec<Finding> {
    let code: String = tree.ending(".rs").filter(|(path, _)| path.starts_with(CODE)).map(|(_, text)| text).collect();
    let (code, page) = (code.as_str(), tree.text(PAGE).unwrap_or_default());
    let (defined, listed) = (commands(code), listed(page));
    let mut found = Vec::new();
    if defined.is_empty() {
        found.push(Finding::file(CODE, format!("defines no commands in an enum {TOP}")));
    }
    let missing = defined.iter().filter(|command| !listed.contains(command));
    found.extend(missing.map(|command| Finding::file(PAGE, format!("does not list {command}"))));
    let unknown = listed.iter().filter(|command| !defined.contains(command));
    found.extend(unknown.map(|command| Finding::file(PAGE, format!("lists {command}, which does not exist"))));
    let silent = options(code).into_iter().filter(|option| !page.contains(&format!("`{option}")));
    found.extend(silent.map(|option| Finding::file(PAGE, format!("does not explain {option}"))));
    found
}

/// The commands that the code defines, such as `kuraka registry import`.
fn commands(code: &str) -> Vec<String> {
    let variants = variants(code);
    let is_group = |name: &str| variants.iter().any(|(of, _)| *of == name && name != TOP);
    let full = variants.iter().filter_map(|(of, variant)| match *of {
        TOP if is_group(variant) => None,
        TOP => Some(format!("kuraka {}", kebab(variant))),
        // Any other enum has the values of an option.
        of => variants.contains(&(TOP, of)).then(|| format!("kuraka {} {}", kebab(of), kebab(variant))),
    });
    full.collect()
}

/// The variants of all enums, each with the name of its enum.
fn variants(code: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut inside = None;
    for line in code.lines() {
        if let Some((_, name)) = line.split_once("enum ") {
            inside = name.split_whitespace().next();
        } else if line == "}" {
            inside = None;
        } else if let (Some(name), Some(variant)) = (inside, line.strip_prefix("    "))
            && variant.starts_with(|c: char| c.is_ascii_uppercase())
        {
            found.extend(variant.split(|c: char| !c.is_alphanumeric()).next().map(|variant| (name, variant)));
        }
    }
    found
}

/// The long options, which are the fields below an attribute `#[arg(long…)]`.
fn options(code: &str) -> Vec<String> {
    let fields = code.lines().zip(code.lines().skip(1)).filter(|(above, _)| above.trim().starts_with("#[arg(long"));
    let names = fields.filter_map(|(_, field)| field.trim().trim_start_matches("pub(crate) ").split(':').next());
    names.map(|name| format!("--{}", name.replace('_', "-"))).collect()
}

/// The commands in the first cells of the page's tables, without their arguments.
fn listed(page: &str) -> Vec<String> {
    let cells = table_rows(page).into_iter().filter_map(|(_, cells)| cells.first().copied());
    let commands = cells.filter_map(|cell| cell.strip_prefix("`kuraka ")?.strip_suffix('`'));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
    commands
        .map(|words| format!("kuraka {}", words.split(' ').take_while(is_name).collect::<Vec<_>>().join(" ")))
        .collect()
}

/// `SetPassword` as `set-password`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[test]
fn missing_and_unknown_commands_and_options_are_found() {
    let code = "pub(crate) enum Command {\n    /// Serve.\n    Serve,\n    Account(Account),\n}\npub(crate) enum Account {\n    \
                SetPassword {\n        #[arg(long)]\n        e_mail: String,\n    },\n}\npub(crate) enum Form {\n    Csv,\n}\n";
    let page = "| command | does |\n|---|---|\n| `kuraka serve` | serves |\n| `kuraka account set-password NAME` | `--e-mail E` |\n";
    let count = |page: &str| findings(&Tree::from_files(&[("crates/cli/src/cli.rs", code), (PAGE, page)])).len();
    assert_eq!(count(page), 0);
    assert_eq!(count(&page.replace("kuraka serve", "kuraka server")), 2);
    assert_eq!(count(&page.replace("| `kuraka serve` | serves |\n", "")), 1);
    assert_eq!(count(&page.replace("--e-mail", "--mail")), 1);
    assert_eq!(findings(&Tree::from_files(&[(PAGE, page)])).len(), 3);
}
