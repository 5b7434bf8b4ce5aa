#!/bin/sh
# Runs nginx in the foreground. Reloads it without closing connections when addresses, certificate or site have changed.
# The Dockerfile has the default of every variable.
set -eu

# Listens on both address families if the machine has IPv6.
listen() { if [ -e /proc/net/if_inet6 ]; then echo "[::]:$1"; else echo "$1"; fi; }

# Gateways of the container's networks: connections from the host have these source addresses.
gateways() {
  # shellcheck disable=SC2046,SC2183 # The words are the four bytes.
  printf '%d.%d.%d.%d ' $(sed -nE '/^\S+\s+00000000\s/s/^\S+\s+\S+\s+(..)(..)(..)(..)\s.*/0x\4 0x\3 0x\2 0x\1/p' /proc/net/route | head -1)
  [ ! -e /proc/net/ipv6_route ] || awk '$1 ~ /^0+$/ && $2 == "00" && $5 !~ /^0+$/ { gsub(/..../, "&:", $5); print substr($5, 1, 39) }' /proc/net/ipv6_route
}

# Addresses of the replicas behind NAME:PORT.
addresses() { getent ahosts "${1%:*}" | sort | while read -r address kind _; do [ "$kind" != STREAM ] || echo "$address"; done; }

# The pages are served without api and worker too: calls then go to an address that refuses them.
upstream() {
  for address in $(addresses "$1"); do
    case $address in *:*) address="[$address]" ;; esac
    printf '%s:%s ' "$address" "${1##*:}"
  done | grep . || echo 127.0.0.1:1
}

# Without a certificate there is plain HTTP, over which the first one can be had.
has_certificate() { [ -r "${TLS_CERTIFICATE:-}" ] && [ -r "${TLS_CERTIFICATE_KEY:-}" ]; }

render() (
  if [ -e "$PUBLISHED_SITE/current" ]; then
    version=$(readlink -f "$PUBLISHED_SITE/current")
    export WEB_ROOT="$version/site" SITE_CONFIG_DIR="$version" ASSETS_ROOT="$PUBLISHED_SITE"
  fi
  if [ -n "${TLS_CERTIFICATE:-}" ] && ! has_certificate; then
    echo "$TLS_CERTIFICATE and $TLS_CERTIFICATE_KEY cannot be read, by the group 33, yet: plain HTTP until they can." >&2
    unset TLS_CERTIFICATE TLS_CERTIFICATE_KEY
  fi
  NGINX_LISTEN=$(listen 8080) NGINX_LISTEN_TLS=$(listen 18080) HOST_ADDRESSES=$(gateways)
  export NGINX_LISTEN NGINX_LISTEN_TLS HOST_ADDRESSES
  API_UPSTREAM=$(upstream "$API_UPSTREAM") WORKER_UPSTREAM=$(upstream "$WORKER_UPSTREAM") \
    render-config /etc/kitewright/nginx "$NGINX_RUN_DIR/conf"
)

# The state is the addresses of api and worker, the certificate, and the published version of the site.
state() {
  addresses "$API_UPSTREAM"
  addresses "$WORKER_UPSTREAM"
  readlink "$PUBLISHED_SITE/current" || true
  for file in "${TLS_CERTIFICATE:-}" "${TLS_CERTIFICATE_KEY:-}"; do
    [ -z "$file" ] || stat -L -c '%i %s %.9Y %A %g' "$file" 2> /dev/null || true
  done
}

# This loop runs every 2 s, so it starts as few programs as possible.
follow() {
  while sleep 2; do
    found=$(state)
    if [ "$found" != "$followed" ] && render; then
      kill -HUP "$1"
      followed=$found
    fi
  done
}

mkdir -p "$NGINX_RUN_DIR"
followed=$(state)
render
follow $$ &
exec nginx -c "$NGINX_RUN_DIR/conf/nginx.conf" -e stderr -g 'daemon off;'
