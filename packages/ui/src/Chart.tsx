/** A chart that loads ECharts on demand, follows the theme and its box, and can be read as a table. */
import { CHART_LOADING_DELAY_MS } from '@tidegate/contract/limits'
import { Spin } from 'antd'
import type { EChartsType } from 'echarts/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChartSpec, chartOption } from './chart-option.ts'
import { useUi } from './context.ts'
import './texts.ts'

/** Most rows of the readers' table; a longer course is thinned. */
const TABLE_ROWS = 48

const Figures = ({ spec }: { spec: ChartSpec }) => {
  const { t } = useTranslation('ui')
  const every = Math.max(1, Math.ceil(spec.times.length / TABLE_ROWS))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="tg-chart-table" tabIndex={0} aria-label={t('chartTable')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {spec.series.map((s) => (
              <th scope="col" key={s.key}>
                {s.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {spec.times.map((ms, i) =>
            i % every === 0 ? (
              <tr key={ms}>
                <th scope="row">{spec.timeText(ms)}</th>
                {spec.series.map((s) => (
                  <td key={s.key}>{spec.text(s.values[i] ?? 0)}</td>
                ))}
              </tr>
            ) : null,
          )}
        </tbody>
      </table>
    </section>
  )
}

const Canvas = ({ spec, height, label }: { spec: ChartSpec; height: number; label: string }) => {
  const box = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<EChartsType>()
  const { mode } = useUi()
  useEffect(() => {
    const node = box.current
    if (node === null) return
    let made: EChartsType | undefined
    let gone = false
    const watcher = new ResizeObserver(() => made?.resize())
    void import('./echarts.ts').then(({ init }) => {
      if (gone) return
      made = init(node)
      watcher.observe(node)
      setChart(made)
    })
    return () => {
      gone = true
      watcher.disconnect()
      made?.dispose()
      setChart(undefined)
    }
  }, [])
  useEffect(() => {
    chart?.setOption(chartOption(spec, mode), { notMerge: true })
  }, [chart, spec, mode])
  return <div ref={box} role="img" aria-label={label} style={{ height }} />
}

const Head = ({ spec, asTable, onTable }: { spec: ChartSpec; asTable: boolean; onTable: () => void }) => {
  const { t } = useTranslation('ui')
  return (
    <>
      <button type="button" className="tg-link-button" onClick={onTable}>
        {asTable ? t('hideTable') : t('showTable')}
      </button>
      <ul className="tg-legend">
        {spec.series.map((s) => (
          <li key={s.key}>
            <i style={{ background: s.color }} aria-hidden="true" />
            {s.name}
          </li>
        ))}
      </ul>
    </>
  )
}

interface ChartProps {
  /** undefined: there are no figures yet; the chart's room is kept. */
  spec: ChartSpec | undefined
  height: number
  /** Names the chart for readers. */
  label: string
  /** Other figures are on their way. */
  loading: boolean
}

/** The legend and the switch to the table stand above. A wait of half a second and more is shown by a wheel. */
export const Chart = ({ spec, height, label, loading }: ChartProps) => {
  const [asTable, setAsTable] = useState(false)
  return (
    <div className="tg-chart" aria-busy={loading}>
      <div className="tg-chart-head">
        {spec === undefined ? null : <Head spec={spec} asTable={asTable} onTable={() => setAsTable(!asTable)} />}
      </div>
      <Spin spinning={loading} delay={CHART_LOADING_DELAY_MS}>
        {spec === undefined ? (
          <div style={{ height }} />
        ) : asTable ? (
          <Figures spec={spec} />
        ) : (
          <Canvas spec={spec} height={height} label={label} />
        )}
      </Spin>
    </div>
  )
}
