/** The frame of a page's content: title row with state and actions, then what it shows. */
import type { ReactNode } from 'react'

interface PageProps {
  title: ReactNode
  sub?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

export const PageBody = ({ title, sub, actions, children }: PageProps) => (
  <div className="page">
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {sub === undefined ? null : <div className="page-sub">{sub}</div>}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </div>
    {children}
  </div>
)
