//! Files that are not published: what stays of them, and when they are fetched again.

use std::fs;
use std::sync::Arc;

use jiff::Timestamp;
use kuraka_adapters::datasets::update::UpdateError;
use kuraka_ports::fake::ManualClock;
use kuraka_registry::dataset::{ANEXOS, DATOS_ABIERTOS, PADRON, RETENCION, SSCO};
use kuraka_registry::{Accepts, GuardError, ImportError, NoProgress, PublishResult, rollback};

use super::super::current;
use super::super::files::day_of_files;
use super::{Home, conditions, file_from, homes, page, published, tag, unchanged};
use crate::script::Server;

#[tokio::test]
async fn a_guarded_file_is_fetched_once_until_it_is_forced() {
    for home in homes() {
        let shrunk = || published("b", home.file(2));
        let script = [published("a", home.file(40)), shrunk(), unchanged(), unchanged(), shrunk()];
        let server = Server::start(script);
        home.update(&server.url).await.unwrap();
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(&error, UpdateError::Import(ImportError::Guard { .. })) && !error.may_pass(), "{error:?}");
        home.assert_no_download();
        for _ in 0..2 {
            let error = home.update(&server.url).await.unwrap_err();
            let UpdateError::Refused { dataset, cause, by_guard } = &error else { panic!("{error:?}") };
            assert_eq!((*dataset, error.may_pass(), *by_guard), (home.dataset.name, false, true));
            assert!(cause.contains("the file holds 2 rows") && home.failure().contains(cause), "{cause}");
            assert_eq!(home.current().meta().rows, 40);
        }
        let report = home.force(&server.url).await.unwrap().unwrap();
        assert_eq!((report.outcome, report.rows), (PublishResult::Published, 2));
        assert!(matches!(report.forced[..], [GuardError::Shrunk { .. }, ..]), "{:?}", report.forced);
        home.assert_no_download();
        assert!(!server.asked()[4].contains("if-modified-since"));
        assert_eq!(conditions(&server), [None, tag("a"), tag("b"), tag("b"), None]);
    }
}

#[tokio::test]
async fn a_refused_file_is_judged_again_beside_another_edition() {
    for (home, is_damaged) in homes().zip([false; 3]).chain(homes().zip([true; 3])) {
        let script = [("a", 3), ("b", 40), ("c", 4), ("c", 4)].map(|(etag, rows)| published(etag, home.file(rows)));
        let server = Server::start(script);
        for rows in [3, 40] {
            assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, rows);
        }
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(&error, UpdateError::Import(ImportError::Guard { .. })), "{error:?}");
        if is_damaged {
            fs::write(current(&home.folder, home.dataset), "").unwrap();
        } else {
            rollback(home.folder.path(), home.dataset).unwrap();
        }
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4, "{} {is_damaged}", home.dataset.name);
        let knows_its_file = home.accepts == Accepts::Published && !is_damaged;
        let expected = if knows_its_file { tag("a") } else { None };
        assert_eq!(conditions(&server), [None, tag("a"), tag("b"), expected]);
    }
}

#[tokio::test]
async fn a_refusal_by_another_version_of_the_program_does_not_count() {
    let home = Home::new(&RETENCION);
    let shrunk = || published("b", home.file(2));
    let server = Server::start([published("a", home.file(40)), shrunk(), unchanged(), shrunk()]);
    home.update(&server.url).await.unwrap();
    home.update(&server.url).await.unwrap_err();
    assert!(matches!(home.update(&server.url).await, Err(UpdateError::Refused { .. })));
    let path = home.downloads().join("retencion.note");
    let note = fs::read_to_string(&path).unwrap();
    let [by, by_another] = [env!("CARGO_PKG_VERSION"), "0.1.0-before"].map(|version| format!("\"by\":\"{version} "));
    assert!(note.contains(&by), "{note}");
    fs::write(&path, note.replace(&by, &by_another)).unwrap();
    let error = home.update(&server.url).await.unwrap_err();
    assert!(matches!(&error, UpdateError::Import(ImportError::Guard { .. })), "{error:?}");
    assert_eq!(conditions(&server), [None, tag("a"), tag("b"), tag("a")]);
}

#[tokio::test]
async fn a_refusal_by_a_clock_that_is_not_set_is_not_remembered() {
    let early = ManualClock::at(Timestamp::UNIX_EPOCH);
    for (home, has_edition) in homes().zip([true; 3]).chain(homes().zip([false; 3])) {
        if home.accepts == Accepts::Published && !has_edition {
            continue;
        }
        let first = has_edition.then(|| published("a", home.file(3)));
        let next = || published("b", home.file(4));
        let server = Server::start(first.into_iter().chain([next(), next()]));
        if has_edition {
            home.update(&server.url).await.unwrap();
        }
        let updating = home.updater(home.source(&server.url), 1).0;
        let error = updating.run(&early, false, Arc::new(NoProgress)).await.unwrap_err();
        assert!(matches!(&error, UpdateError::Import(ImportError::Guard { .. })), "{error:?}");
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4);
        let expected = has_edition.then(|| tag("a")).flatten();
        assert_eq!(conditions(&server)[usize::from(has_edition)..], [expected.clone(), expected]);
    }
}

#[tokio::test]
async fn an_edition_of_the_day_after_tomorrow_is_published_only_by_force() {
    for home in homes().filter(|home| home.accepts == Accepts::Edition) {
        let whole = || published("a", home.file(3));
        let server = Server::start([whole(), whole(), whole()]);
        let updating = home.updater(home.source(&server.url), 1).0;
        // The evening of the 18th in Peru, the 19th in Greenwich.
        let early = ManualClock::at("2026-11-19T04:59:59Z".parse().unwrap());
        let error = updating.run(&early, false, Arc::new(NoProgress)).await.unwrap_err();
        let UpdateError::Import(ImportError::Guard { guard, .. }) = &error else { panic!("{error:?}") };
        assert_eq!(*guard, GuardError::Future { found: day_of_files() });
        assert!(error.may_pass() && home.failure().contains("later than tomorrow"), "{}", home.failure());
        let report = updating.run(&early, true, Arc::new(NoProgress)).await.unwrap().unwrap();
        assert_eq!(report.forced, [GuardError::Future { found: day_of_files() }]);
        let tomorrow = ManualClock::at("2026-11-19T05:00:00Z".parse().unwrap());
        fs::remove_dir_all(home.folder.path().join(home.dataset.name)).unwrap();
        assert!(updating.run(&tomorrow, false, Arc::new(NoProgress)).await.unwrap().unwrap().forced.is_empty());
    }
}

#[tokio::test]
async fn a_file_that_was_rolled_back_from_is_fetched_once() {
    for home in homes() {
        let second = || published("b", home.file(4));
        let server = Server::start([published("a", home.file(3)), second(), second(), unchanged()]);
        for rows in [3, 4] {
            assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, rows);
        }
        rollback(home.folder.path(), home.dataset).unwrap();
        let error = home.update(&server.url).await.unwrap_err();
        let UpdateError::Import(ImportError::Guard { guard, .. }) = &error else { panic!("{error:?}") };
        assert!(matches!(guard, GuardError::RolledBack { .. }), "{guard:?}");
        assert!(matches!(home.update(&server.url).await, Err(UpdateError::Refused { .. })));
        assert_eq!(home.current().meta().rows, 3);
        assert_eq!(conditions(&server).pop().unwrap(), tag("b"));
    }
}

#[tokio::test]
async fn a_note_that_cannot_be_written_does_not_fail_the_update() {
    for home in homes() {
        let server = Server::start([published("a", home.file(3))]);
        fs::create_dir_all(home.downloads().join(format!("{}.note", home.dataset.name))).unwrap();
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().outcome, PublishResult::Published);
        assert!(!home.last_attempt().unwrap().outcome.is_failure());
    }
}

#[tokio::test]
async fn a_file_of_another_dataset_is_refused_and_not_fetched_twice() {
    for home in homes() {
        let is_edition = home.accepts == Accepts::Edition;
        let (other, named) = match home.dataset.name {
            "padron" => (&ANEXOS, "not the expected header"),
            _ => (&DATOS_ABIERTOS, "datos_abiertos"),
        };
        let wrong = || published("a", file_from(home.accepts, other, 3));
        let server = Server::start([wrong(), unchanged(), wrong(), unchanged(), published("b", home.file(3))]);
        for force in [false, true] {
            let error = if force { home.force(&server.url).await } else { home.update(&server.url).await }.unwrap_err();
            let UpdateError::Import(cause) = &error else { panic!("{error:?}") };
            assert_eq!(matches!(cause, ImportError::Edition { .. }), is_edition, "{cause:?}");
            assert!(!error.may_pass() && home.failure().contains(named), "{}", home.failure());
            home.assert_no_download();
            assert!(matches!(home.update(&server.url).await, Err(UpdateError::Refused { .. })));
            assert!(home.failure().contains(named), "{}", home.failure());
        }
        assert!(home.update(&server.url).await.unwrap().is_some(), "another file is imported");
        assert_eq!(conditions(&server), [None, tag("a"), None, tag("a"), tag("a")]);
    }
}

#[tokio::test]
async fn an_error_page_is_fetched_again_and_leaves_nothing() {
    for home in [&PADRON, &RETENCION, &SSCO].map(Home::new) {
        let server = Server::start([published("a", home.file(3)), page(), published("b", home.file(4))]);
        home.update(&server.url).await.unwrap();
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::Read(_))) && error.may_pass(), "{error:?}");
        let cause = home.failure();
        assert!(cause.contains(home.dataset.name) && cause.contains("HTML page"), "{cause}");
        let recorded = format!("{:?}", home.last_attempt());
        assert!(recorded.contains("El publicador envió una página web en lugar del archivo."), "{recorded}");
        assert_eq!(home.current().meta().rows, 3, "the previous edition stays");
        home.assert_no_download();
        assert!(!home.has_stored("mantenimiento"));
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4);
        assert_eq!(conditions(&server), [None, tag("a"), tag("a")]);
    }
}

#[tokio::test]
async fn a_damaged_edition_is_fetched_again_and_no_other_file_is() {
    for home in homes().filter(|home| home.accepts == Accepts::Edition) {
        let whole = home.file(4);
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 1;
        let cut = &whole[..whole.len() - 1];
        let file = file_from(Accepts::Published, home.dataset, 3);
        let script = [published("a", home.file(3)), published("b", &changed), published("b", cut), page()];
        let server = Server::start(script.into_iter().chain([published("b", file), published("b", &whole)]));
        home.update(&server.url).await.unwrap();
        for is_edition in [true, true, false, false] {
            let error = home.update(&server.url).await.unwrap_err();
            let is_damaged = matches!(&error, UpdateError::Import(ImportError::Edition { .. }));
            let is_other = matches!(&error, UpdateError::Import(ImportError::NoEdition { .. }));
            assert_eq!((is_damaged, error.may_pass(), is_other), (is_edition, is_edition, !is_edition), "{error:?}");
            assert_eq!(home.failure().contains("datasets.builder_url"), is_other, "{}", home.failure());
            assert_eq!(home.current().meta().rows, 3);
            home.assert_no_download();
        }
        assert_eq!(home.update(&server.url).await.unwrap().unwrap().rows, 4);
        assert_eq!(conditions(&server), [None, tag("a"), tag("a"), tag("a"), tag("page"), tag("b")]);
    }
}

#[tokio::test]
async fn an_edition_is_refused_at_an_address_of_a_publisher() {
    for home in homes().filter(|home| home.accepts == Accepts::Published) {
        let edition = || published("a", file_from(Accepts::Edition, home.dataset, 3));
        let server = Server::start([edition(), unchanged(), edition(), edition()]);
        let error = home.update(&server.url).await.unwrap_err();
        assert!(matches!(error, UpdateError::Import(ImportError::UnexpectedEdition { .. })), "{error:?}");
        assert!(!error.may_pass() && home.failure().contains("datasets.builder_url"), "{}", home.failure());
        assert!(matches!(home.update(&server.url).await, Err(UpdateError::Refused { by_guard: false, .. })));
        // An operator knows what the address has.
        assert!(home.import(&server.url, super::ManualUpdate::default()).await.unwrap().adopted);
        let mut set = Home::new(home.dataset);
        (set.folder, set.accepts) = (Arc::clone(&home.folder), Accepts::Edition);
        fs::remove_dir_all(home.folder.path().join(home.dataset.name).join("editions")).unwrap();
        assert!(set.update(&server.url).await.unwrap().unwrap().adopted, "the refusal was of other settings");
        assert_eq!(conditions(&server), [None, tag("a"), None, None]);
    }
}
