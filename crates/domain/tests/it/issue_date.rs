//! Days of issue: never later than the date that the caller passes as today.

use kuraka_domain::{Date, IssueDate, IssueDateError};

#[test]
fn today_is_accepted_and_tomorrow_is_rejected() {
    let date = |text: &str| Date::parse(text).expect(text);
    let today = date("2025-10-08");
    for text in ["2025-10-08", "2025-10-07", "2019-01-01", "0001-01-01"] {
        assert_eq!(IssueDate::new(date(text), today).map(IssueDate::date), Ok(date(text)));
    }
    let tomorrow = IssueDate::new(date("2025-10-09"), today).expect_err("in the future");
    assert!(matches!(tomorrow, IssueDateError { date, today: passed, .. } if date.day() == 9 && passed == today));
    assert_eq!(tomorrow.to_string(), "a voucher is not issued in the future, 2025-10-09 is after 2025-10-08");
}
