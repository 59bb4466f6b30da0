/** What a module registers so that it can be run by the clock: a kind of task, its parameters, and the rules that a new task of it has. */
import type { Lang, TaskLostRule, TaskOverlap } from '@tidegate/contract/enums'
import { z } from 'zod'

type Words = Readonly<Record<Lang, string>>
/** What a run came to, e.g. `{removed: 12}`. */
export type TaskResult = Readonly<Record<string, number | string | boolean>>

export interface TaskContext {
  /** Ends when the run took too long or its process stops. */
  signal: AbortSignal
  /** Adds a line to the run's output. */
  say(line: string): void
  /** Percent done, 0 to 100. */
  progress(percent: number): void
}

/** A parameter for the form: its name and a schema of whole numbers, lists of these, yes or no, or text. */
export type TaskFields = Readonly<Record<string, Words>>

export interface TaskKind {
  kind: string
  title: Words
  about: Words
  params: z.ZodObject
  /** Titles of the parameters. */
  fields: TaskFields
  /** Five parts, in the installation's time zone. */
  cron: string
  /** Seconds. */
  timeout: number
  overlap: TaskOverlap
  lost: TaskLostRule
  /** May run again after a crash. `params` went through the schema. */
  run(params: Record<string, unknown>, context: TaskContext): Promise<TaskResult | undefined>
}

interface Given<Shape extends z.ZodObject> {
  kind: string
  title: Words
  about: Words
  params?: Shape
  fields?: { readonly [Name in keyof z.output<Shape>]: Words }
  cron: string
  timeout?: number
  overlap?: TaskOverlap
  lost?: TaskLostRule
  run(params: z.output<Shape>, context: TaskContext): Promise<TaskResult | undefined>
}

/** A kind whose function gets its parameters typed by their schema; ten minutes, one at a time, run again when lost, unless said otherwise. */
export const taskKind = <Shape extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  given: Given<Shape>,
): TaskKind => ({
  timeout: 600,
  overlap: 'skip',
  lost: 'retry',
  ...given,
  params: given.params ?? z.strictObject({}),
  fields: (given.fields ?? {}) as TaskFields,
  run: (params, context) => given.run(params as z.output<Shape>, context),
})
