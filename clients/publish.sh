#!/usr/bin/env bash
# Publishes a client: `publish.sh npm`, `pypi`, `cargo`, or `packagist REPOSITORY TAG`. TOKEN is the registry's secret. The
# release workflow runs it, one step for each registry.
set -euo pipefail
cd "$(dirname "$0")"

case $1 in
  npm)
    cd typescript
    cp --remove-destination ../../LICENSE-* .
    npm install --no-save --no-fund --no-audit typescript@5.9.3
    registry=$(npm config get registry)
    npm config set --location project "${registry#*:}:_authToken" "$TOKEN"
    PATH=$PWD/node_modules/.bin:$PATH npm publish --access public
    ;;
  pypi)
    python3 -m venv /tmp/publish
    /tmp/publish/bin/pip install --quiet build==1.6.1 twine==6.2.0
    /tmp/publish/bin/python -m build --outdir /tmp/publish/dist python
    TWINE_USERNAME=__token__ TWINE_PASSWORD=$TOKEN /tmp/publish/bin/twine upload /tmp/publish/dist/*
    ;;
  packagist)
    folder=$(mktemp --directory)
    cp --recursive --dereference php/. "$folder"
    cd "$folder"
    git init --quiet --initial-branch main
    git add .
    git -c user.name=release -c user.email=release@invalid commit --quiet --message "$3"
    git tag "$3"
    git push "https://x-access-token:$TOKEN@github.com/$2" "$3"
    ;;
  cargo)
    CARGO_REGISTRY_TOKEN=$TOKEN cargo publish --package kuraka-domain --package kuraka-api --package kuraka-client
    ;;
esac
