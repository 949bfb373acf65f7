//! The README quotes the examples, which its own tests run.

const README: &str = include_str!("../../README.md");

#[test]
fn the_readme_quotes_every_example() {
    for example in [
        include_str!("../../examples/check_ruc.rs"),
        include_str!("../../examples/read_envelope.rs"),
        include_str!("../../examples/compose_voucher_query.rs"),
    ] {
        let (_head, code) = example.split_once("\n\n").expect("a head and code");
        assert!(README.contains(&format!("```rust\n{code}```\n")), "{code}");
    }
}
