/** Runs tasks one after another in the order they were given; a failed task does not stop the next. */
export type Serial = <T>(task: () => Promise<T>) => Promise<T>

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task, task)
    last = run.catch(() => undefined)
    return run
  }
}
