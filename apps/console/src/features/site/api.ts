/** Reads and writes of sites and certificates. */
import { useQuery } from '@tanstack/react-query'
import type { SiteRow } from '@tidegate/contract/operations/site'
import { call } from '../../shared/api/call.ts'
import { CERTS } from '../../shared/cert/useCert.ts'

export const SITES = ['site'] as const
const PENDING_MS = 2000
const IDLE_MS = 15_000

/** Quickly while some row is on its way to nodes. */
export const refreshEvery = (sites: readonly SiteRow[] | undefined): number =>
  sites?.some((s) => s.enabled && s.nodesLive + s.nodesRefused < s.nodes) ? PENDING_MS : IDLE_MS

export const useSite = (id: number) =>
  useQuery({
    queryKey: [...SITES, 'info', id],
    queryFn: ({ signal }) => call('site.info', { id }, { signal }),
    select: (answer) => answer.data,
    enabled: id > 0,
  })

export const useHistory = (id: number, page: number, limit: number) =>
  useQuery({
    queryKey: [...SITES, 'history', id, page, limit],
    queryFn: ({ signal }) => call('site.history', { id, page, limit }, { signal }),
    select: (answer) => answer.data,
    placeholderData: (old) => old,
  })

/** Those that can be chosen: what is applied for is no certificate yet. */
export const useCertificates = () =>
  useQuery({
    queryKey: [...CERTS, 'all'],
    queryFn: ({ signal }) => call('cert.list', { limit: 200 }, { signal }),
    select: (answer) => answer.data.list.filter((cert) => cert.notAfter !== ''),
  })
