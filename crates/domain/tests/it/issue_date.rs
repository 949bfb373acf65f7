//! Days of issue: never later than the date that the caller passes as today.

use kuraka_domain::{Date, IssueDate, IssueDateError};

fn date(text: &str) -> Date {
    text.parse().expect(text)
}

#[test]
fn today_is_accepted_and_tomorrow_is_rejected() {
    let today = date("2025-10-08");
    for text in ["2025-10-08", "2025-10-07", "2019-01-01", "0001-01-01"] {
        assert_eq!(IssueDate::new(date(text), today).map(IssueDate::date), Ok(date(text)));
    }
    let tomorrow = IssueDate::new(date("2025-10-09"), today);
    assert_eq!(tomorrow, Err(IssueDateError::InFuture { date: date("2025-10-09"), today }));
    assert_eq!(
        tomorrow.expect_err("in the future").to_string(),
        "a voucher is not issued in the future, 2025-10-09 is after 2025-10-08"
    );
}

#[test]
fn the_result_depends_on_todays_date() {
    assert!(IssueDate::new(date("2025-12-31"), date("2025-12-30")).is_err());
    assert!(IssueDate::new(date("2025-12-31"), date("2025-12-31")).is_ok());
    assert!(IssueDate::new(date("2025-12-31"), date("2026-01-01")).is_ok());
}

#[test]
fn an_issue_date_prints_in_both_forms() {
    let issued = IssueDate::new(date("2025-10-07"), date("2025-10-08")).expect("the day before");
    assert_eq!((issued.to_string(), issued.dmy().to_string()), ("2025-10-07".to_owned(), "07/10/2025".to_owned()));
}
