/** Series -> ECharts option, in the consoles' look: thin lines, light fill, horizontal grid only. Pure. */
import type { EChartsCoreOption } from 'echarts/core'
import { FONT, type Mode, PALETTES } from './tokens.ts'

export interface ChartSeries {
  key: string
  name: string
  color: string
  values: readonly number[]
}
export interface ChartLine {
  value: number
  label: string
}
export interface ChartSpec {
  kind: 'line' | 'bars'
  /** Times of the buckets, ms. */
  times: readonly number[]
  series: readonly ChartSeries[]
  /** A dashed horizontal line, such as the 95th percentile. */
  line?: ChartLine | undefined
  unit: string
  /** Nothing is less than one, so no tick stands between. */
  whole?: boolean | undefined
  /** Value as text for axis and tooltip. */
  text: (value: number) => string
  axisText: (value: number) => string
  timeText: (ms: number) => string
  axisTimeText: (ms: number) => string
  /** Which buckets carry a label; undefined leaves it to the chart. */
  isLabel?: ((ms: number) => boolean) | undefined
}

const htmlText = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const tooltip = (spec: ChartSpec, mode: Mode) => {
  const p = PALETTES[mode]
  return {
    trigger: 'axis',
    backgroundColor: p.raised,
    borderColor: p.lineStrong,
    borderWidth: 1,
    padding: [8, 12],
    textStyle: { color: p.text, fontSize: 12, fontFamily: FONT },
    extraCssText: 'box-shadow:none;border-radius:6px',
    axisPointer: { type: 'line', lineStyle: { color: p.lineStrong, width: 1 } },
    formatter: (rows: { dataIndex: number }[]) => {
      const at = rows[0]?.dataIndex ?? 0
      const lines = spec.series.map((s) => `${htmlText(s.name)} <b>${htmlText(spec.text(s.values[at] ?? 0))}</b>`)
      return [htmlText(spec.timeText(spec.times[at] ?? 0)), ...lines].join('<br>')
    },
  }
}

const seriesOf = (spec: ChartSpec, mode: Mode) =>
  spec.series.map((s, i) => ({
    name: s.name,
    type: spec.kind === 'line' ? 'line' : 'bar',
    data: [...s.values],
    ...(spec.kind === 'bars' ? { stack: 'all', barMaxWidth: 14, barCategoryGap: '35%' } : {}),
    showSymbol: s.values.length === 1,
    symbol: 'circle',
    lineStyle: { width: 1.6, color: s.color },
    itemStyle: { color: s.color },
    ...(spec.kind === 'line' && i === 0 ? { areaStyle: { color: s.color, opacity: 0.1 } } : {}),
    ...(i === 0 && spec.line !== undefined ? { markLine: markLine(spec.line, mode) } : {}),
    emphasis: { disabled: true },
  }))

const markLine = (line: ChartLine, mode: Mode) => ({
  silent: true,
  symbol: 'none',
  data: [{ yAxis: line.value }],
  lineStyle: { type: 'dashed', width: 1, color: PALETTES[mode].warn },
  label: {
    position: 'insideEndTop',
    formatter: line.label,
    color: PALETTES[mode].warnText,
    backgroundColor: PALETTES[mode].panel,
    padding: [1, 4],
    fontSize: 11,
    fontFamily: FONT,
  },
})

/** The whole option. */
export const chartOption = (spec: ChartSpec, mode: Mode): EChartsCoreOption => {
  const p = PALETTES[mode]
  const label = { color: p.textFaint, fontSize: 11, fontFamily: FONT }
  return {
    animation: false,
    aria: { enabled: false },
    grid: { left: 8, right: 12, top: 28, bottom: 4, containLabel: true },
    tooltip: tooltip(spec, mode),
    xAxis: {
      type: 'category',
      data: spec.times.map(String),
      boundaryGap: spec.kind === 'bars',
      axisLine: { lineStyle: { color: p.line } },
      axisTick: { show: false },
      axisLabel: {
        ...label,
        hideOverlap: true,
        ...(spec.isLabel === undefined
          ? {}
          : { interval: (_: number, ms: string) => spec.isLabel?.(Number(ms)) === true }),
        formatter: (ms: string) => spec.axisTimeText(Number(ms)),
      },
    },
    yAxis: {
      type: 'value',
      name: spec.unit,
      nameTextStyle: { ...label, align: 'right' },
      nameGap: 12,
      splitNumber: 4,
      ...(spec.whole === true ? { minInterval: 1 } : {}),
      max:
        spec.line === undefined ? undefined : ({ max }: { max: number }) => Math.max(max, spec.line?.value ?? 0) * 1.05,
      splitLine: { lineStyle: { color: p.line } },
      axisLabel: { ...label, formatter: (v: number) => spec.axisText(v), showMaxLabel: spec.line === undefined },
    },
    series: seriesOf(spec, mode),
  }
}
