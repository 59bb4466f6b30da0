/** A small registry of metrics in the text format of Prometheus (exposition format 0.0.4). */

export interface Metric {
  name: string
  render(): string[]
}

export interface Metrics {
  add(metric: Metric): void
  /** The whole text, metrics in order of their names. */
  render(): string
}

type Labels = Record<string, string>

const escapeLabel = (text: string) => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')
const labelText = (labels: Labels) => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
const head = (name: string, help: string, type: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]

export const createMetrics = (): Metrics => {
  const all = new Map<string, Metric>()
  return {
    add: (metric) => {
      if (all.has(metric.name)) throw new Error(`metric ${metric.name} exists`)
      all.set(metric.name, metric)
    },
    render: () => {
      const sorted = [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
      return `${sorted.flatMap((metric) => metric.render()).join('\n')}\n`
    },
  }
}

export interface Counter extends Metric {
  inc(labels?: Labels, by?: number): void
}

export const counter = (name: string, help: string): Counter => {
  const values = new Map<string, number>()
  return {
    name,
    inc: (labels = {}, by = 1) => {
      const key = labelText(labels)
      values.set(key, (values.get(key) ?? 0) + by)
    },
    render: () => [...head(name, help, 'counter'), ...[...values].map(([key, value]) => `${name}${key} ${value}`)],
  }
}

/** A value that is read when the text is asked for. */
export const gauge = (name: string, help: string, read: () => number): Metric => ({
  name,
  render: () => [...head(name, help, 'gauge'), `${name} ${read()}`],
})

export interface Histogram extends Metric {
  observe(labels: Labels, value: number): void
}

/** `bounds`: upper bounds of the buckets, ascending, in the unit of the name. */
export const histogram = (name: string, help: string, bounds: readonly number[]): Histogram => {
  const series = new Map<string, { labels: Labels; counts: number[]; sum: number; count: number }>()
  const lines = (one: { labels: Labels; counts: number[]; sum: number; count: number }) => {
    let below = 0
    const buckets = bounds.map((bound, i) => {
      below += one.counts[i] ?? 0
      return `${name}_bucket${labelText({ ...one.labels, le: String(bound) })} ${below}`
    })
    const key = labelText(one.labels)
    return [
      ...buckets,
      `${name}_bucket${labelText({ ...one.labels, le: '+Inf' })} ${one.count}`,
      `${name}_sum${key} ${one.sum}`,
      `${name}_count${key} ${one.count}`,
    ]
  }
  return {
    name,
    observe: (labels, value) => {
      const key = labelText(labels)
      const one = series.get(key) ?? { labels, counts: bounds.map(() => 0), sum: 0, count: 0 }
      series.set(key, one)
      const at = bounds.findIndex((bound) => value <= bound)
      if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1
      one.sum += value
      one.count += 1
    },
    render: () => [...head(name, help, 'histogram'), ...[...series.values()].flatMap(lines)],
  }
}
