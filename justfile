# The house rules as commands. scripts/test installs what they need; CI calls the same recipes.

set shell := ["bash", "-euo", "pipefail", "-c"]

export PATH := justfile_directory() / "target/tools/bin" + ":" + env("PATH")

# The recipes.
default:
    @just --list --unsorted

# Everything that can be checked without running the program, cheapest first.
check: fmt typos deny clippy

# Formatting, as rustfmt.toml has it.
fmt:
    cargo fmt --all --check

# Spelling, as typos.toml has it.
typos:
    typos

# Licences, duplicates and sources of what we depend on, as deny.toml has it.
deny:
    cargo-deny --log-level error check bans licenses sources

# Lints, as Cargo.toml has them.
clippy:
    cargo clippy --workspace --all-targets --locked -- -D warnings

# All tests: unit, property, golden, real servers, documents. Arguments go to cargo test.
test *arguments:
    cargo test --workspace --locked {{ arguments }}

# Runs the program: just run check examples/am-login.yaml
run *arguments:
    cargo run --release --locked --quiet -- {{ arguments }}

# Accepts what the program prints now as golden. Read the difference before you commit it.
bless:
    BLESS=1 cargo test --workspace --locked
    git diff --stat

# What a request costs beside other generators, in alternating pairs: see bench/compare.py.
bench *arguments:
    cargo build --release --locked
    python3 bench/compare.py {{ arguments }}

# The documentation of the code; a broken link in it is an error.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked

# Known vulnerabilities in what we depend on; needs the public database of advisories.
advisories:
    cargo-deny check advisories
