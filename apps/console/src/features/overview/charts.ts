/** The overview's two charts as specs for the chart component. */
import type { Lang } from '@tidegate/contract/enums'
import type { ChartSpec } from '@tidegate/ui/chart-option'
import { bps, count, figureText } from '@tidegate/ui/format'
import { type Accent, chartColors, type Mode } from '@tidegate/ui/tokens'
import type { ChartData } from './api.ts'
import { rate } from './figures.ts'

export interface Look {
  lang: Lang
  timeZone: string
  mode: Mode
  accent: Accent
}

const DAY_MS = 86_400_000

/** Minutes between the axis's labels, the finest that leaves at most nine. */
const LABEL_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 7200]
const MAX_LABELS = 9
const MAX_BARS = 48

/** Round times only while some bucket begins at one. */
const labelled = (data: ChartData, isLabel: (ms: number) => boolean) =>
  data.points.filter((p) => isLabel(p.t * 1000)).length > 1 ? isLabel : undefined

const timeTexts = (data: ChartData, { timeZone }: Look) => {
  const long = Date.parse(data.to) - Date.parse(data.from) > 1.5 * DAY_MS
  const minutes = (Date.parse(data.to) - Date.parse(data.from)) / 60_000
  const every = LABEL_MINUTES.find((m) => minutes / m <= MAX_LABELS) ?? 7200
  const at = (ms: number) => new Date(ms).toLocaleString('sv-SE', { timeZone })
  return {
    timeText: (ms: number) => at(ms).slice(0, 16),
    axisTimeText: (ms: number) => (long ? at(ms).slice(5, 10) : at(ms).slice(11, 16)),
    isLabel: labelled(data, (ms: number) => {
      const [hours = '0', minutes = '0'] = at(ms).slice(11, 16).split(':')
      const day = Math.floor(Date.parse(`${at(ms).slice(0, 10)}T00:00:00Z`) / DAY_MS)
      return (day * 1440 + Number(hours) * 60 + Number(minutes)) % every === 0
    }),
  }
}

export const bandwidthSpec = (
  data: ChartData,
  look: Look,
  names: { edge: string; origin: string; p95: string },
): ChartSpec => {
  const colors = chartColors(look.mode, look.accent)
  const edge = data.points.map((p) => rate(p.bytesOut, data.step))
  const origin = data.points.map((p) => rate(p.bytesOrigin, data.step))
  const top = Math.max(...edge, ...origin, data.bandwidth.p95, 1)
  const unit = bps(top, look.lang).unit
  const scale = ['bps', 'Kbps', 'Mbps', 'Gbps', 'Tbps', 'Pbps'].indexOf(unit)
  return {
    kind: 'line',
    times: data.points.map((p) => p.t * 1000),
    series: [
      { key: 'edge', name: names.edge, color: colors.main, values: edge },
      { key: 'origin', name: names.origin, color: colors.compare, values: origin },
    ],
    line:
      data.bandwidth.p95 > 0
        ? { value: data.bandwidth.p95, label: `${names.p95} ${figureText(bps(data.bandwidth.p95, look.lang))}` }
        : undefined,
    unit,
    whole: scale === 0,
    text: (v) => figureText(bps(v, look.lang)),
    axisText: (v) => String(Number((v / 1000 ** scale).toPrecision(3))),
    ...timeTexts(data, look),
  }
}

/** Neighbouring buckets summed, so that a bar is wide enough to see. */
const merged = (points: ChartData['points']) => {
  const width = Math.max(1, Math.ceil(points.length / MAX_BARS))
  return Array.from({ length: Math.ceil(points.length / width) }, (_, i) => points.slice(i * width, (i + 1) * width))
}

export const statusSpec = (data: ChartData, look: Look, unit: string): ChartSpec => {
  const colors = chartColors(look.mode, look.accent)
  const groups = merged(data.points)
  return {
    kind: 'bars',
    times: groups.map((g) => (g[0]?.t ?? 0) * 1000),
    series: (['s2xx', 's3xx', 's4xx', 's5xx'] as const).map((key) => ({
      key,
      name: key.slice(1),
      color: colors[key],
      values: groups.map((g) => g.reduce((sum, p) => sum + p[key], 0)),
    })),
    unit,
    whole: true,
    text: (v) => figureText(count(v, look.lang)),
    axisText: (v) => figureText(count(v, look.lang)),
    ...timeTexts(data, look),
    isLabel: undefined,
  }
}
