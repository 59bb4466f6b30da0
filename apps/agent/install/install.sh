#!/bin/sh
# Installs a Tidegate edge node on this machine. The install command of the console fetches this script, compares its SHA-256 and
# gives three values in the environment; every one is checked before use. What is downloaded runs only after its SHA-256 has been
# compared with the one that this script carries.
set -eu

CONTROL_URL=${TIDEGATE_AGENT_URL:-}
CA_SHA256=${TIDEGATE_CA_SHA256:-}
ENROLL_TOKEN=${TIDEGATE_ENROLL_TOKEN:-}
HTTP_PORT=${TIDEGATE_EDGE_HTTP_PORT:-80}
HTTPS_PORT=${TIDEGATE_EDGE_HTTPS_PORT:-443}
# Filled in by the control plane when it serves this script.
AGENT_FILE=agent.tar.gz
AGENT_SHA256='{{sha256:agent.tar.gz}}'

PACKAGES='nginx libnginx-mod-http-lua libnginx-mod-http-ndk lua-resty-core lua-resty-lrucache lua-cjson ca-certificates curl'
PROGRAM_DIR=/opt/tidegate-agent
NODE_DIR=/var/lib/tidegate-node
ENV_FILE=/etc/tidegate/agent.env
UNIT=tidegate-agent.service
POLICY=/usr/sbin/policy-rc.d

case "${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}" in zh*) ZH=1 ;; *) ZH=0 ;; esac
# say ENGLISH CHINESE
say() { if [ "$ZH" = 1 ]; then printf '%s\n' "$2"; else printf '%s\n' "$1"; fi; }
die() { say "$1" "$2" >&2; exit 1; }

# matches VALUE PATTERN: the whole value, one line
matches() { [ "$(printf '%s' "$1" | wc -l)" -eq 0 ] && printf '%s\n' "$1" | grep -Eqx "$2"; }

check_values() {
  matches "$CONTROL_URL" 'https://[A-Za-z0-9.:_-]+|https://\[[0-9A-Fa-f:.]+\](:[0-9]+)?' &&
    matches "$CA_SHA256" '[0-9a-f]{64}' && matches "$AGENT_SHA256" '[0-9a-f]{64}' &&
    matches "$ENROLL_TOKEN" '[A-Za-z0-9_-]{16,128}' &&
    matches "$HTTP_PORT" '[0-9]{1,5}' && matches "$HTTPS_PORT" '[0-9]{1,5}' ||
    die 'This install command is incomplete: copy it from the console again.' '安装命令不完整：请重新从控制台复制。'
}

check_machine() {
  [ "$(id -u)" = 0 ] || die 'Run this as root.' '请以 root 身份运行。'
  { [ -f /etc/debian_version ] && command -v apt-get >/dev/null; } ||
    die 'This needs Debian 12 or a relative of it (apt-get).' '需要 Debian 12 或其衍生系统（apt-get）。'
  command -v systemctl >/dev/null || die 'This needs systemd.' '需要 systemd。'
  NODE_BIN=$(command -v node || true)
  { [ -n "$NODE_BIN" ] && "$NODE_BIN" -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)'; } ||
    die 'Node.js 20 or later is needed (Debian 12 itself has 18). Install it, then run this again.' \
      '需要 Node.js 20 或更高版本（Debian 12 自带 18）。请先安装，然后重新运行。'
}

# Ports must be free, unless the node that is there already holds them.
check_ports() {
  systemctl is-active --quiet "$UNIT" && return 0
  for port in "$HTTP_PORT" "$HTTPS_PORT"; do
    "$NODE_BIN" -e 'require("net").createServer().on("error", () => process.exit(1)).listen(+process.argv[1], "0.0.0.0", () => process.exit(0))' "$port" ||
      die "Port $port is in use by another program." "端口 $port 已被其他程序占用。"
  done
}

restore_policy() {
  [ "${POLICY_PLACED:-0}" = 1 ] || return 0
  rm -f "$POLICY"
  if [ -e "$POLICY.tidegate-saved" ]; then mv "$POLICY.tidegate-saved" "$POLICY"; fi
  POLICY_PLACED=0
}

clean_up() {
  restore_policy
  if [ -n "${WORK:-}" ]; then rm -rf "$WORK"; fi
}

# Installs the engine's packages without starting what they bring; a service that was there before stays as it is.
install_packages() {
  missing=
  for package in $PACKAGES; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  say "Installing packages:$missing" "正在安装软件包：$missing"
  if [ -e "$POLICY" ]; then mv "$POLICY" "$POLICY.tidegate-saved"; fi
  POLICY_PLACED=1
  printf '#!/bin/sh\nexit 101\n' >"$POLICY"
  chmod 755 "$POLICY"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >"$WORK/apt.log" 2>&1 || true
  # shellcheck disable=SC2086
  apt-get install -y -q --no-install-recommends $missing >>"$WORK/apt.log" 2>&1 || {
    tail -n 20 "$WORK/apt.log" >&2
    die 'The packages could not be installed.' '软件包安装失败。'
  }
  restore_policy
  case "$missing " in *' nginx '*) systemctl disable nginx.service >/dev/null 2>&1 || true ;; esac
}

download() {
  say 'Downloading the agent.' '正在下载节点程序。'
  # The port has a certificate of the control plane's own CA; the hash below is what decides.
  curl --fail --silent --show-error --insecure --proto '=https' --max-time 300 \
    --output "$WORK/agent.tar.gz" "$CONTROL_URL/agent/v1/download/$AGENT_FILE" ||
    die 'The control plane cannot be reached.' '无法连接控制平面。'
  printf '%s  %s\n' "$AGENT_SHA256" "$WORK/agent.tar.gz" | sha256sum --check --status ||
    die 'The downloaded file is not the one that the console announced. Nothing was installed.' \
      '下载的文件与控制台给出的校验值不符，未安装任何内容。'
}

unpack() {
  RELEASE="$PROGRAM_DIR/$(printf '%.16s' "$AGENT_SHA256")"
  rm -rf "$RELEASE.new"
  # The engine's workers read the Lua files as nobody.
  mkdir -p "$RELEASE.new"
  chmod 755 "$PROGRAM_DIR" "$RELEASE.new"
  tar -xzf "$WORK/agent.tar.gz" -C "$RELEASE.new" --no-same-owner --no-same-permissions
  chmod -R u=rwX,go=rX "$RELEASE.new"
  { [ -f "$RELEASE.new/agent.mjs" ] && [ -d "$RELEASE.new/edge/lua" ]; } ||
    die 'The downloaded file lacks parts of the agent.' '下载的文件缺少节点程序的部分内容。'
  rm -rf "$RELEASE"
  mv "$RELEASE.new" "$RELEASE"
}

# All addresses, IPv6 too where the machine has it.
bind_addresses() { if [ -s /proc/net/if_inet6 ]; then printf '0.0.0.0,::'; else printf '0.0.0.0'; fi; }

write_env() {
  mkdir -p "$(dirname "$ENV_FILE")"
  (
    umask 077
    cat >"$ENV_FILE.new" <<ENV
TIDEGATE_NODE_DIR=$NODE_DIR
TIDEGATE_RUN_DIR=/run/tidegate-node
TIDEGATE_CONTROL_URL=$CONTROL_URL
TIDEGATE_CA_SHA256=$CA_SHA256
TIDEGATE_ENROLL_TOKEN=$ENROLL_TOKEN
TIDEGATE_EDGE_HTTP_PORT=$HTTP_PORT
TIDEGATE_EDGE_HTTPS_PORT=$HTTPS_PORT
TIDEGATE_BIND=$(bind_addresses)
TIDEGATE_EDGE_DIR=$RELEASE/edge
ENV
  )
  mv "$ENV_FILE.new" "$ENV_FILE"
}

write_unit() {
  cat >"/etc/systemd/system/$UNIT" <<SERVICE
[Unit]
Description=Tidegate edge node agent
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=root
EnvironmentFile=$ENV_FILE
ExecStart=$NODE_BIN $RELEASE/agent.mjs
Restart=always
RestartSec=2
# nginx outlives the agent and is adopted again: only the agent itself is stopped.
KillMode=process
RuntimeDirectory=tidegate-node
RuntimeDirectoryMode=0711
RuntimeDirectoryPreserve=yes
LimitNOFILE=262144
UMask=0077

[Install]
WantedBy=multi-user.target
SERVICE
}

start_agent() {
  mkdir -p "$NODE_DIR"
  chmod 711 "$NODE_DIR"
  rm -f "$NODE_DIR/status.json"
  systemctl daemon-reload
  systemctl enable --quiet "$UNIT"
  systemctl restart "$UNIT"
  say 'Waiting for the node to come up.' '正在等待节点启动。'
  waited=0
  until grep -q '"engineUp":true' "$NODE_DIR/status.json" 2>/dev/null; do
    waited=$((waited + 1))
    [ "$waited" -le 60 ] || {
      journalctl -u "$UNIT" -n 20 --no-pager >&2 || true
      die 'The node did not come up within a minute; its last messages are above.' '节点未能在一分钟内启动，最后的日志见上。'
    }
    sleep 1
  done
  say 'The node is up and enrolled.' '节点已启动并完成注册。'
}

check_values
check_machine
check_ports
WORK=$(mktemp -d)
trap clean_up EXIT
trap 'exit 1' INT TERM HUP
install_packages
download
unpack
write_env
write_unit
start_agent
