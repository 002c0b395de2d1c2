//! Golden files: what a person reads, compared letter by letter. `BLESS=1` writes them anew.

use std::fs;
use std::path::Path;

/// Compares with `tests/golden/NAME.txt`.
pub(crate) fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.txt"));
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        fs::write(&path, text).unwrap();
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == text,
        "{name} differs from {}; BLESS=1 accepts it\n--- golden\n{golden}\n--- now\n{text}",
        path.display()
    );
}
