#!/bin/sh
# Renders the configuration into the tmpfs and runs nginx in the foreground; every variable has its default in the Dockerfile.
set -eu

names=$(env | sed -nE 's/^((NGINX|WEB|CSP|API)_[A-Z_]+)=.*/${\1}/p' | tr '\n' ' ')
mkdir -p "$NGINX_RUN_DIR/conf"
cp -R /etc/kitewright/nginx/. "$NGINX_RUN_DIR/conf/"
find "$NGINX_RUN_DIR/conf" -name '*.conf' | while read -r file; do
  envsubst "$names" < "$file" > "$NGINX_RUN_DIR/rendered"
  cat "$NGINX_RUN_DIR/rendered" > "$file"
done

# nginx looks a name up once. A replica of the api that was added, or came back under another address, is found by a
# reload, which keeps every open connection; while the name has no address the last configuration stays.
follow_api() {
  api_host=${API_UPSTREAM%:*}
  known=$(getent ahosts "$api_host" | sort -u || true)
  while sleep 2; do
    found=$(getent ahosts "$api_host" | sort -u || true)
    if [ -n "$found" ] && [ "$found" != "$known" ]; then
      known=$found
      kill -HUP "$1"
    fi
  done
}

follow_api $$ &
exec nginx -c "$NGINX_RUN_DIR/conf/nginx.conf" -e stderr -g 'daemon off;'
