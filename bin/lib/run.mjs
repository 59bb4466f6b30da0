import { spawn } from 'node:child_process'

/**
 * Runs a program to its end. Resolves with its code and, unless it inherits the terminal, what it printed.
 * After `limitMs` it and its children are ended and `timedOut` is true.
 */
export async function run(program, args, { cwd, env, input, inherit = false, limitMs = 0, onLine } = {}) {
  const child = spawn(program, args, {
    cwd,
    env: env ?? process.env,
    // Its own group, so that a hung run can be ended whole; with the terminal it stays in ours, for Ctrl-C.
    detached: limitMs > 0,
    stdio: [input === undefined ? 'ignore' : 'pipe', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
  })
  if (input !== undefined) child.stdin.end(input)
  const unpass = limitMs > 0 ? passSignals(child) : () => {}
  const chunks = []
  const take = (chunk) => {
    chunks.push(chunk)
    if (onLine) onLine(chunk.toString())
  }
  child.stdout?.on('data', take)
  child.stderr?.on('data', take)
  let timedOut = false
  const timer =
    limitMs > 0
      ? setTimeout(
          () =>
            endGroup(child, () => {
              timedOut = true
            }),
          limitMs,
        )
      : undefined
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => resolve(status ?? `${signal}`))
  }).finally(() => {
    clearTimeout(timer)
    unpass()
  })
  return { code, timedOut, output: Buffer.concat(chunks).toString('utf8') }
}

/** Ctrl-C does not reach another group: what ends us ends that first. Answers how to stop passing on. */
function passSignals(child) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const pass = (signal) => {
    signalGroup(child.pid, signal)
    child.once('close', () => {
      undo()
      process.kill(process.pid, signal)
    })
  }
  const undo = () => {
    for (const signal of signals) process.off(signal, pass)
  }
  for (const signal of signals) process.on(signal, pass)
  return undo
}

function endGroup(child, note) {
  note()
  signalGroup(child.pid, 'SIGTERM')
  setTimeout(() => signalGroup(child.pid, 'SIGKILL'), 5_000).unref()
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone.
  }
}
