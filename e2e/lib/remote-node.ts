/** A node on a machine of its own, as far as one machine can show it: the delivered agent with its own folders, started by hand. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcess } from '@tidegate/embedded/process'
import type { NodeStatus, Stack } from '../stack.ts'
import { ROOT } from '../stack.ts'
import { kill, processesIn, processesOf } from './processes.ts'
import { type Answer, type Visit, visit } from './visitor.ts'
import { waitFor, within } from './wait.ts'

/** What the install command of the console carries. */
export interface Invitation {
  controlUrl: string
  caSha256: string
  token: string
}

/** Asks the console for the install command of a new node and takes out what the agent needs. */
export async function invite(stack: Stack, name: string): Promise<Invitation> {
  const { data } = await stack.api.call('node.enrollToken', { name, groupId: 1 })
  const value = (variable: string) => new RegExp(`${variable}='([^']+)'`).exec(data.command)?.[1] ?? ''
  return {
    controlUrl: value('TIDEGATE_AGENT_URL'),
    caSha256: value('TIDEGATE_CA_SHA256'),
    token: value('TIDEGATE_ENROLL_TOKEN'),
  }
}

export class RemoteNode {
  readonly dataDir: string
  private readonly invitation: Invitation
  private agent: ChildProcess | undefined
  private output = ''

  constructor(invitation: Invitation) {
    this.invitation = invitation
    this.dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'tge-')))
    // The engine's workers are nobody when the test is root.
    chmodSync(this.dataDir, 0o711)
  }

  /** Starts the agent; resolves once it is spawned. */
  async start(env: Record<string, string> = {}): Promise<void> {
    const agent = spawn(process.execPath, [join(ROOT, 'dist', 'agent.mjs')], {
      env: {
        PATH: process.env.PATH,
        TIDEGATE_NODE_DIR: join(this.dataDir, 'node'),
        TIDEGATE_RUN_DIR: join(this.dataDir, 'run'),
        TIDEGATE_CONTROL_URL: this.invitation.controlUrl,
        TIDEGATE_CA_SHA256: this.invitation.caSha256,
        TIDEGATE_ENROLL_TOKEN: this.invitation.token,
        TIDEGATE_EDGE_HTTP_PORT: '0',
        TIDEGATE_EDGE_HTTPS_PORT: '0',
        TIDEGATE_ENGINE_ROOT: process.env.TIDEGATE_ENGINE_ROOT ?? '',
        TIDEGATE_EDGE_DIR: join(ROOT, 'edge'),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.agent = agent
    for (const stream of [agent.stdout, agent.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        this.output += chunk
      })
    }
    await once(agent, 'spawn')
  }

  /** Resolves with the exit code of an agent that ends by itself. */
  async exitCode(limitMs = 20_000): Promise<number | null> {
    const { agent } = this
    if (!agent) throw new Error('not started')
    if (agent.exitCode === null && agent.signalCode === null) {
      await within(once(agent, 'exit'), 'the end of the agent', limitMs)
    }
    return agent.exitCode
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.agent?.kill(signal)
    await this.exitCode()
  }

  /** kill -9 of nginx's master. */
  async killMaster(): Promise<void> {
    const master = processesOf(this.dataDir, 'master')[0]
    if (!master) throw new Error('no engine is running')
    await kill(master)
  }

  get status(): NodeStatus {
    return JSON.parse(readFileSync(join(this.dataDir, 'node', 'status.json'), 'utf8')) as NodeStatus
  }

  /** Resolves once the running agent's own status says what is wanted. */
  async untilStatus(what: string, holds: (status: NodeStatus) => boolean, limitMs = 30_000): Promise<NodeStatus> {
    return await waitFor(
      () => {
        const { status } = this
        return status.agentPid === this.agent?.pid && holds(status) && status
      },
      () => `${what}\n${this.output.slice(-3_000)}`,
      limitMs,
    )
  }

  visit(host: string, options: Visit = {}): Promise<Answer> {
    return visit(this.status, host, options)
  }

  get log(): string {
    return this.output
  }

  /** Ends the agent and its engine and removes the folder. */
  async destroy(): Promise<void> {
    if (this.agent && this.agent.exitCode === null && this.agent.signalCode === null) await this.stop('SIGKILL')
    for (let round = 0; round < 5; round++) {
      const left = processesIn([this.dataDir])
      if (left.length === 0) break
      for (const one of left) await endProcess(one, [['SIGKILL', 5_000]])
    }
    rmSync(this.dataDir, { recursive: true, force: true })
  }
}
