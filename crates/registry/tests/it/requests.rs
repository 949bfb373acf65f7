//! What a request accepts: the published file, a finished edition, or one file alone, by its checksum.

use std::fs;

use kuraka_registry::dataset::Dataset;
use kuraka_registry::{Accepts, Checksum, Import, ImportError, PublishResult, parse_checksum};
use sha2::{Digest, Sha256};

use crate::published::{KINDS, published};
use crate::workspace::{Workspace, zip};

/// The published file of a dataset, and the finished edition that another machine has made from it.
fn files(dataset: &'static Dataset) -> [Vec<u8>; 2] {
    let (builder, file) = (Workspace::new(), published(dataset, (0..10).map(|n| (n, 1))));
    builder.import(dataset, &file);
    [file, fs::read(builder.edition_path(dataset)).unwrap()]
}

/// Expects a refusal even by force, before anything is published.
fn refused(dataset: &'static Dataset, file: &[u8], change: impl Fn(&mut Import)) -> ImportError {
    let workspace = Workspace::new();
    let mut request = Import { force: true, ..workspace.request(file) };
    change(&mut request);
    let error = workspace.try_import(dataset, &request).unwrap_err();
    assert_eq!(workspace.kept(dataset), []);
    assert!(fs::read_dir(workspace.folder(dataset).join("editions")).map_or(0, Iterator::count) == 0);
    error
}

#[test]
fn an_edition_at_a_publishers_address_is_refused() {
    for dataset in KINDS {
        let [file, edition] = files(dataset);
        let published = |request: &mut Import| request.accepts = Accepts::Published;
        let error = refused(dataset, &edition, published);
        assert!(matches!(error, ImportError::UnexpectedEdition { dataset: name } if name == dataset.name), "{error}");
        let workspace = Workspace::new();
        let request = Import { accepts: Accepts::Published, ..workspace.request(&file) };
        assert!(!workspace.try_import(dataset, &request).unwrap().adopted);
    }
}

#[test]
fn a_published_file_in_place_of_an_edition_is_refused() {
    for dataset in KINDS {
        let [file, edition] = files(dataset);
        for bad in [&file, &b"<html></html>".to_vec(), &Vec::new(), &edition[..7].to_vec()] {
            let error = refused(dataset, bad, |request| request.accepts = Accepts::Edition);
            assert!(matches!(error, ImportError::NoEdition { dataset: name } if name == dataset.name), "{error}");
        }
        let workspace = Workspace::new();
        let request = Import { accepts: Accepts::Edition, ..workspace.request(&edition) };
        assert!(workspace.try_import(dataset, &request).unwrap().adopted);
    }
}

#[test]
fn a_file_with_another_checksum_is_refused() {
    let wanted: Checksum = [7; 32];
    let zipped = |dataset: &'static Dataset| (dataset, zip(&[(dataset.file_names[0], &files(dataset)[0])]));
    let plain = KINDS.into_iter().flat_map(|dataset| files(dataset).map(|file| (dataset, file)));
    for (dataset, file) in plain.chain([zipped(KINDS[0])]) {
        let error = refused(dataset, &file, |request| request.sha256 = Some(wanted));
        let ImportError::Checksum { found, wanted: asked } = error else { panic!("{error}") };
        assert_eq!((asked, &found), ("07".repeat(32), &hex::encode(Sha256::digest(&file))));
        let workspace = Workspace::new();
        let sha256 = parse_checksum(&found);
        assert!(sha256.is_some());
        let request = Import { sha256, ..workspace.request(&file) };
        assert_eq!(workspace.try_import(dataset, &request).unwrap().outcome, PublishResult::Published);
        // Also of a file that is the current edition's.
        let other = Import { sha256: Some(wanted), ..request };
        assert!(matches!(workspace.try_import(dataset, &other), Err(ImportError::Checksum { .. })));
    }
}
