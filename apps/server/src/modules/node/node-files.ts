/** The files that a new node downloads, and the command that fetches the first of them. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AGENT_PATHS } from '@tidegate/contract/node/protocol'

export const INSTALL_SCRIPT = 'install.sh'

export interface NodeFile {
  body: Buffer
  /** Hex. */
  sha256: string
}

export interface NodeFiles {
  /** A file of the folder by its plain name, or null. `{{sha256:NAME}}` in the install script becomes the hash of the file NAME. */
  read(name: string): Promise<NodeFile | null>
}

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const sha256 = (body: Buffer) => createHash('sha256').update(body).digest('hex')

/** `dir` undefined: an installation without node files serves none. */
export const openNodeFiles = (dir: string | undefined): NodeFiles => {
  const raw = async (name: string): Promise<Buffer | null> => {
    if (dir === undefined || !PLAIN.test(name)) return null
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
    return entries.some((e) => e.isFile() && e.name === name) ? readFile(join(dir, name)) : null
  }
  const fill = async (script: string): Promise<string> => {
    let text = script
    for (const [whole, name = ''] of script.matchAll(/\{\{sha256:([A-Za-z0-9._-]+)\}\}/g)) {
      const file = await raw(name)
      text = text.replaceAll(whole, file ? sha256(file) : 'missing')
    }
    return text
  }
  return {
    read: async (name) => {
      const file = await raw(name)
      if (!file) return null
      const body = name === INSTALL_SCRIPT ? Buffer.from(await fill(file.toString('utf8'))) : file
      return { body, sha256: sha256(body) }
    },
  }
}

/**
 * The install command: fetches the script, checks its hash (TLS is not trusted yet, the hash is), then runs it. The token and the
 * CA's hash travel in the environment, out of sight of other users' process lists. Null when there is no script to install.
 */
export const installCommand = async (
  files: NodeFiles,
  agentUrl: string,
  caSha256: string,
  token: string,
): Promise<string | null> => {
  const script = await files.read(INSTALL_SCRIPT)
  if (!script) return null
  return [
    'f=$(mktemp)',
    `curl -fsSk '${agentUrl}${AGENT_PATHS.download}/${INSTALL_SCRIPT}' -o "$f"`,
    `echo "${script.sha256}  $f" | sha256sum -c --quiet -`,
    `TIDEGATE_AGENT_URL='${agentUrl}' TIDEGATE_CA_SHA256='${caSha256}' TIDEGATE_ENROLL_TOKEN='${token}' sh "$f"`,
  ].join(' && ')
}
