# What the scripts of this folder share, read by them with `.`: the target folder, the version, the time of the commit, and
# functions that install a tool if it is missing.

TARGET=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
VERSION=$(sed --quiet '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# The times of all packed files.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# Whom the packages name.
MAINTAINER=${KURAKA_MAINTAINER:-Kuraka developers <developers@kuraka.invalid>}
export PATH=$TARGET/tools/python/bin:$TARGET/tools/bin:$PATH
export DEBIAN_FRONTEND=noninteractive

# need PROGRAM PACKAGE…: installs Debian packages if a program is missing.
need() {
  ! command -v "$1" >/dev/null || return 0
  shift
  { apt-get install --yes --quiet --no-install-recommends "$@" ||
    { apt-get update --quiet && apt-get install --yes --quiet --no-install-recommends "$@"; }; } >/dev/null
}

# need_python: installs the Python packages of requirements.txt into the target folder, if their hashes match.
need_python() {
  python3 -c 'import ensurepip' 2>/dev/null || need ensurepip python3-venv
  [ -d "$TARGET/tools/python" ] || python3 -m venv "$TARGET/tools/python"
  "$TARGET/tools/python/bin/pip" install --quiet --require-hashes --requirement packaging/requirements.txt
}

# need_cargo NAME VERSION: installs cargo-NAME into the target folder.
need_cargo() {
  command -v "cargo-$1" >/dev/null || env --unset=CARGO_TARGET_DIR --unset=RUSTFLAGS \
    cargo install --quiet --locked --root "$TARGET/tools" --version "$2" "cargo-$1"
}
