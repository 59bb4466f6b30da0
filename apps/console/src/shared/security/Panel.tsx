/** A titled part of the security screens. */
import type { ReactNode } from 'react'
import './security.css'

interface Props {
  title: string
  sub: string
  /** Right of the title. */
  action?: ReactNode
  children: ReactNode
}

export const Panel = ({ title, sub, action, children }: Props) => (
  <section className="tg-panel security-panel" aria-label={title}>
    <header className="tg-panel-head">
      <h2>{title}</h2>
      <p>{sub}</p>
      {action}
    </header>
    {children}
  </section>
)
