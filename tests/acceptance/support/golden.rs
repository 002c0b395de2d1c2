//! Golden files: what a person reads, compared letter by letter. `BLESS=1` writes them anew.

use std::path::Path;

/// Compares with `golden/NAME.txt`; each pair is replaced before.
pub(crate) fn check(name: &str, text: &str, replaced: &[(&str, &str)]) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/acceptance/golden").join(format!("{name}.txt"));
    let mut now = text.to_owned();
    for (from, to) in replaced {
        now = now.replace(from, to);
    }
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(&path, &now).unwrap();
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == now,
        "{name} differs from {}; BLESS=1 accepts it\n--- golden\n{golden}\n--- now\n{now}",
        path.display()
    );
}
