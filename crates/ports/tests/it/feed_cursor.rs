//! The text of a place in the change feed.

use kuraka_domain::Ruc;
use kuraka_ports::{FeedCursor, FeedCursorError, FeedPlace, FeedPosition};

#[test]
fn a_cursor_reads_back_from_its_text() {
    let [dataset, label, identity] = ["padron", "2026-11-20-0a1b2c3d", "4e5f6a7b"].map(str::to_owned);
    let position = FeedPosition { dataset: dataset.clone(), number: 12, label: label.clone(), identity };
    let other = FeedPosition { dataset: "buenos_contribuyentes".to_owned(), ..position.clone() };
    let within = Some(FeedPlace { dataset, ruc: Ruc::parse("20100119227").unwrap(), told: FeedPlace::ALL, label });
    for cursor in [
        FeedCursor::default(),
        FeedCursor { positions: vec![position.clone()], within: None },
        FeedCursor { positions: vec![position, other], within },
    ] {
        assert_eq!(cursor.to_string().parse(), Ok(cursor));
    }
}

#[test]
fn other_texts_are_no_cursors() {
    let bad = ["x", "padron=1.a", "padron=1.a.", "padron=-1.a.0", "=1.a.0", "Padron=1.a.0", ";", ";padron=1.1"];
    for bad in bad.into_iter().chain(["padron=1.a.0;padron=20100119228.1.b", "padron=1.a.0;padron=20100119227.1."]) {
        assert_eq!(bad.parse::<FeedCursor>(), Err(FeedCursorError), "{bad}");
    }
}
