/** Debian packages of the edge; edge/README.md says what each is for. */
export const edgePackages = [
  'nginx',
  'libnginx-mod-http-lua',
  'libnginx-mod-http-ndk',
  'lua-resty-core',
  'lua-resty-lrucache',
  'lua-cjson',
  'ca-certificates',
]

/** What those need beyond a minimal Debian; unpacked along with them where they cannot be installed. */
export const edgeLibraries = [
  'libluajit2-5.1-2',
  'libluajit2-5.1-common',
  'libpcre3',
  'libpcre2-8-0',
  'libssl3',
  'zlib1g',
]

/** Debian packages of the DNS node; dns/README.md says what each is for. */
export const dnsPackages = ['dnsdist']

/** Only the tests need these: a browser, letters for its pages, and a certificate authority (Let's Encrypt's own for tests). */
export const testPackages = ['chromium', 'fonts-noto-cjk', 'pebble']

/** The benchmarks' load generator, and what sets the cores that programs run on. */
export const benchPackages = ['wrk', 'util-linux']

/** The web site that the demo's origin serves. */
export const demoPackage = 'debian-handbook'
export const demoFolder = 'usr/share/doc/debian-handbook/html/en-US'
