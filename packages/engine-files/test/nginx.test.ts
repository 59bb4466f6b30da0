import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { enginePaths, nginxCommand } from '../src/engine-root.ts'
import { type NginxConfParams, renderNginxConf } from '../src/nginx.ts'
import { nginxQuote } from '../src/nginx-quote.ts'

const GOLDEN = fileURLToPath(new URL('./golden/', import.meta.url))
const LUA_DIR = fileURLToPath(new URL('../../../edge/lua', import.meta.url))

const HOST: NginxConfParams = {
  engine: enginePaths('', 'x64'),
  luaDir: '/opt/tidegate/edge/lua',
  runtimeDir: '/run/tidegate',
  stateDir: '/var/lib/tidegate/state',
  cacheDir: '/var/cache/tidegate',
  tempDir: '/var/lib/tidegate/temp',
  errorLog: '/var/log/tidegate/error.log',
  cacheMaxMb: 10_240,
  bind: ['0.0.0.0', '::'],
  httpPorts: [80],
  httpsPorts: [443],
  defaultCert: '/var/lib/tidegate/default.crt',
  defaultKey: '/var/lib/tidegate/default.key',
  probeSecretFile: '/var/lib/tidegate/probe',
  workers: 4,
  workerUser: 'nobody',
  workerShutdownTimeout: 30,
  workerConnections: 16_384,
  trustedCa: '/etc/ssl/certs/ca-certificates.crt',
}

/** Unpacked below a data directory with a space and a quote in its name, run by an ordinary user. */
const UNPACKED: NginxConfParams = {
  ...HOST,
  engine: enginePaths('/home/me/my "data"/engines/root', 'arm64'),
  stateDir: '/home/me/my "data"/state',
  cacheDir: '/home/me/my "data"/cache',
  bind: ['127.0.0.1'],
  httpPorts: [8081, 8082],
  httpsPorts: [8443],
  workers: 2,
  workerUser: null,
  trustedCa: null,
}

describe('nginx.conf', () => {
  it.each([
    ['host.conf', HOST],
    ['unpacked.conf', UNPACKED],
  ])('is rendered as %s', async (name, params) => {
    await expect(renderNginxConf(params)).toMatchFileSnapshot(join(GOLDEN, name))
  })

  it('is accepted by nginx, from a directory whose name needs quoting', () => {
    const dir = mkdtempSync(join(tmpdir(), 'tg \'x" '))
    try {
      for (const name of ['r', 'r/ctl', 'r/work', 'state', 'cache', 'temp']) mkdirSync(join(dir, name))
      const files = ['-keyout', join(dir, 'k'), '-out', join(dir, 'c')]
      const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', '/CN=x']
      execFileSync('openssl', ['req', '-x509', ...curve, ...files], { stdio: 'pipe' })
      const at = (name: string) => join(dir, name)
      const params: NginxConfParams = {
        ...HOST,
        engine: enginePaths(process.env.TIDEGATE_ENGINE_ROOT ?? ''),
        luaDir: LUA_DIR,
        runtimeDir: at('r'),
        stateDir: at('state'),
        cacheDir: at('cache'),
        tempDir: at('temp'),
        errorLog: at('error.log'),
        bind: ['127.0.0.1'],
        httpPorts: [18_080],
        httpsPorts: [18_443],
        defaultCert: at('c'),
        defaultKey: at('k'),
        probeSecretFile: at('probe'),
        workerUser: process.getuid!() === 0 ? 'root' : null,
        trustedCa: at('c'),
      }
      writeFileSync(at('nginx.conf'), renderNginxConf(params))
      const command = nginxCommand(
        params.engine,
        { conf: at('nginx.conf'), errorLog: at('error.log'), runtimeDir: at('r') },
        'test',
      )
      execFileSync(command.file, command.args, {
        cwd: command.cwd,
        env: { ...process.env, ...command.env },
        stdio: 'pipe',
      })
      expect(readFileSync(at('error.log'), 'utf8')).not.toContain('[emerg]')
    } finally {
      rmSync(dir, { recursive: true })
    }
  })

  it('has no more than one line for any value, whatever the value is', () => {
    const lines = renderNginxConf(HOST).split('\n').length
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (part) => {
        let conf: string
        try {
          conf = renderNginxConf({ ...HOST, stateDir: `/s/${part}`, cacheDir: `/c/${part}`, defaultCert: `/d/${part}` })
        } catch {
          return
        }
        expect(conf.split('\n').length).toBe(lines)
      }),
    )
  })

  it('refuses paths that nginx has no way to write, and sockets with too long a path', () => {
    for (const cacheDir of ['/a$b', '/a\nb', '/a\0b', '/a\x7fb']) {
      expect(() => renderNginxConf({ ...HOST, cacheDir }), cacheDir).toThrow('cannot be written')
    }
    expect(() => renderNginxConf({ ...HOST, luaDir: '/a;b' })).toThrow('Lua search path')
    expect(() => renderNginxConf({ ...HOST, runtimeDir: `/${'r'.repeat(90)}` })).toThrow('too long')
    expect(() => renderNginxConf({ ...HOST, workers: 1.5 })).toThrow('whole number')
  })
})

/** What nginx's own reader makes of a quoted word. */
function nginxUnquote(word: string): { value: string; rest: string } {
  let value = ''
  for (let i = 1; i < word.length; i += 1) {
    const char = word[i]!
    if (char === '"') return { value, rest: word.slice(i + 1) }
    if (char === '\\') {
      i += 1
      const next = word[i]!
      value += '"\'\\'.includes(next) ? next : ({ t: '\t', r: '\r', n: '\n' }[next] ?? `\\${next}`)
    } else value += char
  }
  throw new Error('not closed')
}

describe('quoting', () => {
  it('gives nginx back exactly the value, and nothing of it as grammar', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', '\\', "'", ';', '{', '}', '#', 'n', 't', ' ', 'é', 'a') }),
        (value) => {
          expect(nginxUnquote(nginxQuote(value))).toEqual({ value, rest: '' })
        },
      ),
    )
  })
})
