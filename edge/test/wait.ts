/** Waits until the condition holds; an error after the deadline (milliseconds). */
export async function waitFor(
  what: string,
  holds: () => boolean | Promise<boolean>,
  deadline: number = 10_000,
): Promise<void> {
  const end = Date.now() + deadline
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${deadline} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
