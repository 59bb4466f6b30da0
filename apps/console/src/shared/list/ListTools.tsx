/** What stands at the end of a list's toolbar: refresh, saved views, export. */
import type { ListId } from '@tidegate/contract/operations/index'
import { type Refresh, RefreshInterval } from '@tidegate/ui/RefreshInterval.tsx'
import { ViewsButton } from '../views/ViewsButton.tsx'
import { ExportButton } from './ExportButton.tsx'

interface Props {
  list: ListId
  /** Search and filters of the whole list as a file; absent: it cannot be had as one. */
  exports?: { query: Record<string, unknown>; total: number } | undefined
  refresh?: Refresh | undefined
}

export const ListTools = ({ list, exports, refresh }: Props) => (
  <>
    {refresh === undefined ? null : <RefreshInterval refresh={refresh} />}
    <ViewsButton table={list} />
    {exports === undefined ? null : <ExportButton list={list} {...exports} />}
  </>
)
