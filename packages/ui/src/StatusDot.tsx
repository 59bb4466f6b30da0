/** A state as a dot and a word: never colour alone. */
import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'idle' | 'busy' | 'news'

/** `busy` turns while something is under way; `news` is what waits to be looked at. */
export const StatusDot = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`tg-status tg-status-${tone}`}>
    <i aria-hidden="true" />
    <span>{children}</span>
  </span>
)
