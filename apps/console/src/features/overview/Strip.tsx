/** The strip of figures. Each leads to the list behind it where there is one. */
import { useUi } from '@tidegate/ui/context'
import { type FigureItem, FigureStrip } from '@tidegate/ui/FigureStrip.tsx'
import { bps, bytes, count, figureText, grouped, percent } from '@tidegate/ui/format'
import { useTranslation } from 'react-i18next'
import type { ChartData, StateData } from './api.ts'
import { change, errorShare, hitRatio, rate, thinned } from './figures.ts'
import { useLeads } from './leads.ts'

type Words = (key: 'requests' | 'bandwidth' | 'hitRatio' | 'traffic') => string

const trafficItems = (data: ChartData, lang: 'zh' | 'en', label: Words, p95: string): FigureItem[] => {
  const { total, previous, points, step, bandwidth } = data
  const rates = points.map((p) => rate(p.bytesOut, step))
  return [
    {
      key: 'requests',
      label: label('requests'),
      figure: count(total.requests, lang),
      change: change(total.requests, previous.requests),
      more: 'neutral',
      course: thinned(points.map((p) => p.requests)),
      href: '#/cdn/site/list',
    },
    {
      key: 'bandwidth',
      label: label('bandwidth'),
      figure: bps(bandwidth.now, lang),
      hint: `${p95} ${figureText(bps(bandwidth.p95, lang))}`,
      more: 'neutral',
      course: thinned(rates),
    },
    {
      key: 'traffic',
      label: label('traffic'),
      figure: bytes(total.bytesOut, lang),
      change: change(total.bytesOut, previous.bytesOut),
      more: 'neutral',
      course: thinned(points.map((p) => p.bytesOut)),
    },
    {
      key: 'hits',
      label: label('hitRatio'),
      figure: percent(hitRatio(total), lang),
      change: change(hitRatio(total), hitRatio(previous)),
      more: 'good',
      course: thinned(points.map(hitRatio)),
      href: '#/cdn/site/cache',
    },
  ]
}

const errorItem = (data: ChartData, lang: 'zh' | 'en', which: 's4xx' | 's5xx', label: string): FigureItem => ({
  key: which,
  label,
  figure: percent(errorShare(data.total, which), lang),
  change: change(errorShare(data.total, which), errorShare(data.previous, which)),
  more: 'bad',
  hint: grouped(data.total[which], lang),
  course: thinned(data.points.map((p) => p[which])),
})

const blockedItem = (data: ChartData, lang: 'zh' | 'en', label: string): FigureItem => ({
  key: 'blocked',
  label,
  figure: count(data.total.blocked, lang),
  change: change(data.total.blocked, data.previous.blocked),
  more: 'neutral',
  course: thinned(data.points.map((p) => p.blocked)),
})

interface StripProps {
  data: ChartData
  /** null: the customers' console, which has no nodes. */
  health: StateData | undefined | null
  /** The customer's sites, in the nodes' place. */
  sites?: StateData['sites'] | undefined
}

export const Strip = ({ data, health, sites }: StripProps) => {
  const { t } = useTranslation('overview')
  const { lang } = useUi()
  const leads = useLeads()
  const words = {
    requests: t('requests'),
    bandwidth: t('bandwidth'),
    hitRatio: t('hitRatio'),
    s4xx: t('s4xx'),
    s5xx: t('s5xx'),
    traffic: t('traffic'),
    nodes: t('nodes'),
    blocked: t('blocked'),
  }
  const nodes = (health: StateData | undefined): FigureItem => ({
    key: 'nodes',
    label: words.nodes,
    figure: {
      value: health === undefined ? '–' : String(health.nodes.online),
      unit: health === undefined ? '' : `/ ${health.nodes.total}`,
    },
    hint: health === undefined ? '' : t('sitesHint', { enabled: health.sites.enabled, total: health.sites.total }),
    more: 'good',
    course: [],
    href: '#/cdn/node/list',
  })
  const own: FigureItem = {
    key: 'sites',
    label: t('ownSites'),
    figure: {
      value: sites === undefined ? '–' : String(sites.enabled),
      unit: sites === undefined ? '' : `/ ${sites.total}`,
    },
    more: 'good',
    course: [],
    href: '#/cdn/site/list',
  }
  const items = [
    ...trafficItems(data, lang, (key) => words[key], t('p95')),
    errorItem(data, lang, 's4xx', words.s4xx),
    errorItem(data, lang, 's5xx', words.s5xx),
    blockedItem(data, lang, words.blocked),
    health === null ? own : nodes(health),
  ]
  return (
    <FigureStrip
      items={items.map(({ href, ...item }) => (href !== undefined && leads(href.slice(1)) ? { ...item, href } : item))}
    />
  )
}
