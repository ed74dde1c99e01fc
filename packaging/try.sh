#!/usr/bin/env bash
# Installs each package for Linux on x86-64 that dist.py made into an empty folder, and runs the first example of the README.
#
#   packaging/try.sh DIST
#
# DIST may also hold a wheel. Packages that this machine cannot try are listed as skipped.
set -euo pipefail
dist=$(cd "${1:?usage: packaging/try.sh DIST}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
version=$(python3 "$here/dist.py" version)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Runs the example with the command that follows, in a folder with the file.
example() {
    local what=$1 folder=$2 code=0 output
    shift 2
    printf '{"name": "demo", "ports": [80, 8080,], "id": 12345678901234567890}\n' >"$folder/app.json"
    output=$(cd "$folder" && "$@" validate app.json 2>&1) || code=$?
    if [ "$code" != 1 ] || [[ $output != *"error[trailing-comma]: trailing comma in array"* ]]; then
        echo "$what: exit code $code"
        echo "$output"
        exit 1
    fi
    if [ "$(cd "$folder" && "$@" --version)" != "jsonx $version" ]; then
        echo "$what: another version"
        exit 1
    fi
    echo "$what: ok"
}

skip() { echo "skipped: $*"; }

# The archive, in a root that contains only the program.
mkdir "$scratch/archive" "$scratch/root"
tar -xzf "$dist/jsonx-$version-x86_64-unknown-linux-gnu.tar.gz" -C "$scratch/archive" --strip-components 1
for file in README.md LICENSE-MIT man/jsonx.1 completions/_jsonx docs/paths.md; do test -s "$scratch/archive/$file"; done
cp "$scratch/archive/jsonx" "$scratch/root/jsonx"
if [ "$(id -u)" = 0 ]; then
    example "archive, in an empty root" "$scratch/root" env -i "$(command -v chroot)" "$scratch/root" /jsonx
else
    example archive "$scratch/root" "$scratch/root/jsonx"
fi

# The Debian package, in a separate root.
if [ "$(id -u)" = 0 ] && command -v dpkg >/dev/null; then
    root=$scratch/debian
    mkdir -p "$root/var/lib/dpkg/"{info,updates,triggers}
    touch "$root/var/lib/dpkg/"{status,available}
    dpkg --root="$root" --force-script-chrootless --log=/dev/null --install "$dist/jsonx_${version}_amd64.deb" >/dev/null
    test -s "$root/usr/share/man/man1/jsonx.1.gz"
    example "Debian package" "$root" chroot "$root" /usr/bin/jsonx
else
    skip "the Debian package: needs root and dpkg"
fi

# Both npm packages, as npm would get them from its registry.
if command -v npm >/dev/null; then
    mkdir "$scratch/npm"
    (cd "$scratch/npm" && npm init --yes && npm install --no-audit --no-fund --ignore-scripts \
        "$dist/npm-jsonx-tool-$version.tgz" "$dist/npm-jsonx-tool-linux-x64-$version.tgz") >"$scratch/npm.log" 2>&1 ||
        { cat "$scratch/npm.log"; exit 1; }
    example "npm package" "$scratch/npm" npx --no-install jsonx
else
    skip "the npm package: npm is not installed"
fi

# The wheel, in a virtual environment.
wheel=$(find "$dist" -name '*.whl' | head -n 1)
if [ -n "$wheel" ]; then
    python3 -m venv "$scratch/environment"
    "$scratch/environment/bin/pip" install --quiet --no-index "$wheel"
    example wheel "$scratch" "$scratch/environment/bin/jsonx"
    # Like pre-commit: installs the repository, which depends on the wheel.
    python3 -m venv "$scratch/hooks"
    if "$scratch/hooks/bin/pip" install --quiet --find-links "$dist" "$here/.." >"$scratch/hooks.log" 2>&1; then
        example "hooks of pre-commit" "$scratch" "$scratch/hooks/bin/jsonx"
    else
        cat "$scratch/hooks.log"
        exit 1
    fi
else
    skip "the wheel: there is none in $dist"
fi

# The container image.
if [ "$(id -u)" = 0 ] && command -v buildah >/dev/null; then
    mkdir -p "$scratch/context/amd64"
    cp "$scratch/archive/jsonx" "$scratch/context/amd64/jsonx"
    storage=(--root "$scratch/storage" --runroot "$scratch/run" --storage-driver vfs)
    buildah "${storage[@]}" build --quiet --isolation chroot --build-arg TARGETARCH=amd64 -f "$here/Dockerfile" -t jsonx "$scratch/context" >/dev/null
    container=$(buildah "${storage[@]}" from --pull-never jsonx)
    mounted=$(buildah "${storage[@]}" mount "$container")
    example "container image" "$mounted" chroot "$mounted" /bin/jsonx
    buildah "${storage[@]}" umount "$container" >/dev/null
else
    skip "the container image: needs root and buildah"
fi

(cd "$dist" && sha256sum --quiet --check SHA256SUMS)
echo "checksums: ok"
