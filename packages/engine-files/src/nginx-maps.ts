/** Variables of nginx.conf: what requests are told apart by, and what Lua tells nginx. */
import { methodOverrides } from './hop-headers.ts'

/** The lines that declare variables. A `map` of nothing declares one that costs nothing until Lua sets it. */
export function nginxMaps(): string {
  const declared = ['tg_key', 'tg_pass', 'tg_hsts', 'tg_why', 'tg_scheme', 'tg_host', 'tg_sni', 'tg_loop']
  return [
    ...declared.map((name) => `map "" $${name} { default ""; }`),
    `# Lua makes the identifier of a request; this is for those that are refused before Lua sees them.
map "" $tg_rid { default $request_id; }
# Several values in one read: what a request asks for, and what decides how it is treated.
map "" $tg_target { default "$request_method $scheme $host"; }
map "" $tg_class { default "$http_accept_encoding|$http_upgrade|$http_accept|$http_authorization"; }
map "" $tg_copy { default "$upstream_cache_status $upstream_http_tg_from"; }
map "" $tg_reason { default "$tg_why$upstream_http_tg_why"; }
map "" $tg_line { default '","ip":"$remote_addr","proto":"$server_protocol","out":$bytes_sent,"in":$request_length,'; }
map $http_accept_encoding $tg_gzip {
  default "";
  "~*(^|[,\\s])(gzip|\\*)\\s*(;\\s*q=(1|0?\\.[0-9]*[1-9])[0-9.]*\\s*)?(,|$)" gzip;
}
map $tg_pass $tg_accept_encoding {
  default $http_accept_encoding;
  "" $tg_gzip;
}
${methodOverrides()}
map $http_upgrade $tg_upgrade { default ""; websocket websocket; }
map $tg_upgrade $tg_connection { default ""; websocket upgrade; }
map $upstream_cache_status $tg_x_cache {
  default "";
  EXPIRED EXPIRED;
  HIT HIT;
  MISS MISS;
  REVALIDATED EXPIRED;
  STALE STALE;
  UPDATING STALE;
}
map $upstream_cache_status $tg_cache_status {
  default "";
  EXPIRED "Tidegate; fwd=stale";
  HIT "Tidegate; hit";
  MISS "Tidegate; fwd=uri-miss";
  REVALIDATED "Tidegate; hit; fwd=stale; fwd-status=304";
  STALE "Tidegate; hit; detail=stale";
  UPDATING "Tidegate; hit; detail=updating";
}`,
  ].join('\n')
}
