#!/bin/sh
# Runs nginx in the foreground and reloads it, keeping open connections, when something has changed that nginx reads
# only once. "kitewright-nginx follows" exits with 0 when nginx has loaded the present state. The Dockerfile has the
# default of every variable.
set -eu

render() {
  if [ -e "$PUBLISHED_SITE/current" ]; then
    version=$(readlink -f "$PUBLISHED_SITE/current")
    export WEB_ROOT="$version/site" CSP_HASHES_FILE="$version/csp-hashes.conf" ASSETS_ROOT="$PUBLISHED_SITE"
  fi
  render-config /etc/kitewright/nginx "$NGINX_RUN_DIR/conf"
}

# The state is the addresses of the api's replicas, the certificate, and the published version of the site.
state() {
  getent ahosts "${API_UPSTREAM%:*}" | sort -u || true
  readlink "$PUBLISHED_SITE/current" || true
  for file in "${TLS_CERTIFICATE:-}" "${TLS_CERTIFICATE_KEY:-}"; do
    [ -z "$file" ] || stat -L -c '%i %s %Y' "$file" || true
  done
}

# While the api's name has no address, the last configuration stays in use.
follow() {
  while sleep 2; do
    found=$(state)
    if [ "$found" != "$(cat "$followed")" ] && getent ahosts "${API_UPSTREAM%:*}" > /dev/null && render; then
      kill -HUP "$1"
      echo "$found" > "$followed"
    fi
  done
}

# The file holds the state that nginx has loaded.
followed=$NGINX_RUN_DIR/followed
if [ "${1:-}" = follows ]; then
  [ "$(state)" = "$(cat "$followed")" ]
  exit
fi
mkdir -p "$NGINX_RUN_DIR"
state > "$followed"
render
follow $$ &
exec nginx -c "$NGINX_RUN_DIR/conf/nginx.conf" -e stderr -g 'daemon off;'
