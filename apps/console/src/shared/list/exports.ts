/** Reads of exports, and saving their files. */
import { useQuery } from '@tanstack/react-query'
import type { ListId } from '@tidegate/contract/operations/index'
import { call, type Download, download } from '../api/call.ts'

export const EXPORTS = ['export'] as const
const POLL_MS = 700
const RECENT = 10

/** One's own last exports of the list, kept fresh while one is being made. `look`: whether somebody looks. */
export const useExports = (list: ListId, look: boolean) =>
  useQuery({
    queryKey: [...EXPORTS, 'list'],
    queryFn: ({ signal }) => call('export.list', { limit: RECENT }, { signal }),
    select: ({ data }) => data.list.filter((one) => one.list === list),
    enabled: look,
    refetchInterval: ({ state }) =>
      state.data?.data.list.some((one) => one.state === 'waiting' || one.state === 'running') ? POLL_MS : false,
  })

/** Hands a file to the browser, as if a link had been followed. */
export const saveFile = ({ name, blob }: Download): void => {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  URL.revokeObjectURL(url)
}

export const saveExport = async (id: number): Promise<void> => saveFile(await download('export.download', { id }))
