/** One strip of figures parted by hairlines, each with its course and its change against the span before. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useUi } from './context.ts'
import type { Figure } from './format.ts'
import { figureText, percent } from './format.ts'
import './texts.ts'

export interface FigureItem {
  key: string
  label: string
  figure: Figure
  /** Smaller, after the figure: "95th 35.6 Gbps". */
  hint?: string
  /** Share by which it changed (0.061 = 6.1 % up); undefined = nothing to compare with. */
  change?: number | undefined
  /** Whether more is better; decides the change's colour. 'neutral' leaves it grey. */
  more: 'good' | 'bad' | 'neutral'
  /** Course over the span, any scale. */
  course: readonly number[]
  /** Screen behind the figure. */
  href?: string | undefined
}

const WIDTH = 160
const HEIGHT = 24

const Sparkline = ({ course }: { course: readonly number[] }) => {
  if (course.length < 2) return <svg className="tg-spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" />
  const low = Math.min(...course)
  const span = Math.max(...course) - low || 1
  const points = course.map((v, i) => {
    const x = (i / (course.length - 1)) * WIDTH
    const y = HEIGHT - 2 - ((v - low) / span) * (HEIGHT - 4)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg className="tg-spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

const Change = ({ change, more }: Pick<FigureItem, 'change' | 'more'>) => {
  const { t } = useTranslation('ui')
  const { lang } = useUi()
  if (change === undefined || !Number.isFinite(change)) return null
  const value = figureText(percent(Math.abs(change), lang)).replace(' ', '')
  if (Math.abs(change) < 0.0005) {
    return (
      <span className="tg-change" title={t('same')}>
        ±0%
      </span>
    )
  }
  const better = more === 'neutral' ? '' : change > 0 === (more === 'good') ? ' tg-better' : ' tg-worse'
  return (
    <span className={`tg-change${better}`} title={change > 0 ? t('up', { value }) : t('down', { value })}>
      {change > 0 ? '▲' : '▼'} {value}
    </span>
  )
}

const Cell = ({ item }: { item: FigureItem }) => {
  const body: ReactNode = (
    <>
      <span className="tg-figure-label">{item.label}</span>
      <span className="tg-figure-row">
        <span className="tg-figure">
          {item.figure.value}
          {item.figure.unit === '' ? null : <small> {item.figure.unit}</small>}
        </span>
        <Change change={item.change} more={item.more} />
      </span>
      <span className="tg-figure-hint">{item.hint ?? '\u00a0'}</span>
      <Sparkline course={item.course} />
    </>
  )
  return item.href === undefined ? (
    <div className="tg-figure-cell">{body}</div>
  ) : (
    <a className="tg-figure-cell" href={item.href}>
      {body}
    </a>
  )
}

export const FigureStrip = ({ items }: { items: readonly FigureItem[] }) => (
  <div className="tg-figures">
    {items.map((item) => (
      <Cell key={item.key} item={item} />
    ))}
  </div>
)

/** The strip's room while its figures are on their way. */
export const FigureStripSkeleton = ({ cells }: { cells: number }) => (
  <div className="tg-figures" aria-hidden="true">
    {Array.from({ length: cells }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the cells have no identity
      <div className="tg-figure-cell" key={i}>
        <span className="tg-bone tg-bone-short" />
        <span className="tg-bone tg-bone-tall" />
        <span className="tg-bone" />
      </div>
    ))}
  </div>
)
