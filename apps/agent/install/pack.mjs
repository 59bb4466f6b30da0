/**
 * Packs what a new node downloads: `<out>/agent.tar.gz` (agent.mjs and edge/lua, the same bytes for the same content) and
 * `<out>/install.sh`. The control plane serves the folder (TIDEGATE_NODE_FILES) and fills the archive's hash into the script.
 *   node apps/agent/install/pack.mjs [dist/agent.mjs] [dist/node]
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = dirname(dirname(dirname(import.meta.dirname)))
const LARGEST_ARCHIVE = 256 * 1024 * 1024

/** Packs `bundle` and the edge's Lua into the folder `out`, which is made. Needs GNU tar. */
export function packNodeFiles(bundle = join(root, 'dist', 'agent.mjs'), out = join(root, 'dist', 'node')) {
  const work = mkdtempSync(join(tmpdir(), 'tga-pack-'))
  try {
    copyFileSync(bundle, join(work, 'agent.mjs'))
    cpSync(join(root, 'edge', 'lua'), join(work, 'edge', 'lua'), { recursive: true })
    const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX']
    const args = ['--create', ...same, '-C', work, 'agent.mjs', 'edge']
    const tar = execFileSync('tar', args, { maxBuffer: LARGEST_ARCHIVE })
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'agent.tar.gz'), gzipSync(tar, { level: 9 }))
    copyFileSync(join(import.meta.dirname, 'install.sh'), join(out, 'install.sh'))
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) packNodeFiles(process.argv[2], process.argv[3])
