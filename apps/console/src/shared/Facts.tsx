/** Facts about a thing in a grid of hairlines: its name, what it is, how it stands. */
import { StatusDot, type Tone } from '@tidegate/ui/StatusDot.tsx'
import type { ReactNode } from 'react'
import './facts.css'

interface FactProps {
  label: string
  children: ReactNode
  tone?: Tone
  /** The word beside the dot. */
  state?: string
}

export const Fact = ({ label, children, tone, state }: FactProps) => (
  <div>
    <dt>{label}</dt>
    <dd>
      {children}
      {tone === undefined ? null : (
        <div>
          <StatusDot tone={tone}>{state}</StatusDot>
        </div>
      )}
    </dd>
  </div>
)

export const Facts = ({ children }: { children: ReactNode }) => <dl className="facts">{children}</dl>

/** Facts one below the other: what it is beside its name. */
export const FactLines = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="fact-lines">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
