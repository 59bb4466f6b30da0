/** Progress on the terminal: every line carries the seconds since the beginning. */
export const startedAt = Date.now()

/** One line of progress. */
export function say(text) {
  process.stdout.write(`[${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s] ${text}\n`)
}

/** A reason for which a script ends: shown without a stack. */
export class Refusal extends Error {}

/** Runs a script's main function and ends the process with its result; a Refusal is shown as one line. */
export async function runMain(main) {
  try {
    process.exit((await main()) ?? 0)
  } catch (error) {
    process.stderr.write(`${error instanceof Refusal ? error.message : error.stack}\n`)
    process.exit(1)
  }
}
