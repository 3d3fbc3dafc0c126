# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What every script here shares; sourced, never run.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
export PATH="$root/.venv/bin:$PATH"
build=${TENON_BUILD:-$root/build}
jobs=${TENON_JOBS:-$(nproc)}

# say TEXT: a line that tells what happens next.
say() { printf '\n== %s\n' "$*"; }

# die TEXT: the reason and the remedy, exit 1.
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# as_root COMMAND...: runs it as root, by sudo if need be.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root or sudo to run: $*"
  fi
}

# shellcheck disable=SC2120 # no argument is one way to call it
# build_targets TARGET...: configures if need be, then builds; no target builds all.
build_targets() {
  [ -f "$build/build.ninja" ] || cmake --preset release -B "$build" >"$root/.configure.log" 2>&1 || {
    cat "$root/.configure.log" >&2
    die "cmake failed; run scripts/setup, then look above"
  }
  local arguments=()
  [ $# -gt 0 ] && arguments=(--target "$@")
  cmake --build "$build" -j "$jobs" "${arguments[@]}"
}

# failures of the steps that `step` ran.
failed=()

# step NAME COMMAND...: runs it; a failure is noted and the next step goes on.
step() {
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
}

# finish: exit 1, naming the steps that failed, if any did.
finish() {
  [ ${#failed[@]} -eq 0 ] && return 0
  printf '\nFAILED: %s\n' "$(IFS=';' && echo "${failed[*]}")" >&2
  exit 1
}
