/** What a node holds in its shared memory: looked at, never changed. */
import { useQueryClient } from '@tanstack/react-query'
import { type MemoryEntry, NODE_DICTS, type NodeDict } from '@tidegate/contract/node/questions'
import { useUi } from '@tidegate/ui/context'
import { type Column, DataTable } from '@tidegate/ui/DataTable.tsx'
import { bytes, figureText, grouped } from '@tidegate/ui/format'
import { SearchBox } from '@tidegate/ui/SearchBox.tsx'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { type Looked, MEMORY, useMemory, useMemoryNodes } from './api.ts'
import { EntryDrawer } from './EntryDrawer.tsx'
import { Lifetime } from './Lifetime.tsx'
import { chosenNode, NodeSelect } from './NodeSelect.tsx'
import './tools.css'
import './texts.ts'

const useDictWords = (): Record<NodeDict, string> => {
  const { t } = useTranslation('tools')
  return {
    tg_sites: t('dictSites'),
    tg_hosts: t('dictHosts'),
    tg_certs: t('dictCerts'),
    tg_purges: t('dictPurges'),
    tg_pass: t('dictPass'),
    tg_dead: t('dictDead'),
    tg_meta: t('dictMeta'),
    tg_journal: t('dictJournal'),
  }
}

const useColumns = (onOpen: (entry: MemoryEntry) => void): Column<MemoryEntry>[] => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  return [
    {
      key: 'key',
      title: t('key'),
      width: 320,
      render: (_, e) => <span className="tg-mono tools-break">{e.key}</span>,
    },
    {
      key: 'value',
      title: t('value'),
      render: (_, e) =>
        e.masked ? (
          <span className="tg-faint">{t('hidden')}</span>
        ) : (
          <span className="tg-mono tools-value">{e.form === 'binary' ? `0x${e.value}` : e.value}</span>
        ),
    },
    { key: 'size', title: t('size'), align: 'right', width: 110, render: (_, e) => figureText(bytes(e.size, lang)) },
    { key: 'ttl', title: t('ttl'), width: 150, render: (_, e) => <Lifetime seconds={e.ttl} /> },
    {
      key: 'actions',
      title: t('actions'),
      fixed: 'right',
      align: 'left',
      width: 90,
      render: (_, e) => (
        <button type="button" className="tg-link-button" onClick={() => onOpen(e)}>
          {t('open')}
        </button>
      ),
    },
  ]
}

const dictOf = (search: URLSearchParams): NodeDict => NODE_DICTS.find((d) => d === search.get('dict')) ?? 'tg_sites'

/** How full this part of memory is, from the last page that was read. */
const Room = ({ capacity, free }: { capacity: number; free: number }) => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const size = (n: number) => figureText(bytes(n, lang))
  return <span className="tg-soft tg-small">{t('room', { used: size(capacity - free), all: size(capacity) })}</span>
}

export const Page = () => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  const client = useQueryClient()
  const { search, set, query } = useListQuery()
  const nodes = useMemoryNodes()
  const dicts = useDictWords()
  const nodeId = chosenNode(nodes.data, Number(search.get('node')))
  const looked: Looked | undefined =
    nodeId === undefined ? undefined : { nodeId, dict: dictOf(search), prefix: query.key ?? '' }
  const memory = useMemory(looked)
  const [opened, setOpened] = useState<MemoryEntry | null>(null)
  const columns = useColumns(setOpened)
  const pages = memory.data?.pages
  const rows = pages?.flatMap((page) => page.list)
  const last = pages?.at(-1)
  const error = nodes.error ?? memory.error
  const again = () => (nodes.error === null ? client.resetQueries({ queryKey: MEMORY }) : nodes.refetch())
  const noNode = nodes.data !== undefined && nodeId === undefined
  return (
    <PageBody
      title={t('memoryTitle')}
      sub={t('memorySub')}
      actions={
        <Button disabled={looked === undefined} loading={memory.isFetching} onClick={() => void again()}>
          {t('again')}
        </Button>
      }
    >
      <DataTable<MemoryEntry>
        id="tools.memory"
        label={t('memoryTitle')}
        columns={columns}
        rowKey={(entry) => entry.id}
        rows={rows ?? (noNode ? [] : undefined)}
        total={rows?.length ?? 0}
        loading={(nodes.isPending || memory.isPending) && !noNode && error === null}
        query={query}
        onQuery={(change) => set({ ...change })}
        paged={false}
        toolbar={
          <>
            <NodeSelect nodes={nodes.data} value={nodeId} onChange={(node) => set({ node })} />
            <Select<NodeDict>
              aria-label={t('dict')}
              className="tools-dict"
              value={dictOf(search)}
              onChange={(dict) => set({ dict })}
              options={NODE_DICTS.map((value) => ({ value, label: dicts[value] }))}
            />
            <SearchBox label={t('prefix')} value={query.key ?? ''} onSearch={(key) => set({ key })} />
          </>
        }
        empty={noNode ? t('noNodes') : query.key === undefined ? t('emptyDict') : t('emptyPrefix')}
        failed={error === null ? undefined : <Failed error={error} onRetry={() => void again()} />}
      />
      {last === undefined ? null : (
        <div className="tools-more">
          <span className="tg-soft tg-small">{t('shown', { n: grouped(rows?.length ?? 0, lang) })}</span>
          <Room capacity={last.capacity} free={last.free} />
          {memory.hasNextPage ? (
            <Button size="small" loading={memory.isFetchingNextPage} onClick={() => void memory.fetchNextPage()}>
              {t('more')}
            </Button>
          ) : null}
        </div>
      )}
      {looked === undefined ? null : (
        <EntryDrawer looked={looked} entry={opened} dict={dicts[looked.dict]} onClose={() => setOpened(null)} />
      )}
    </PageBody>
  )
}
