/** Pushes: what waits, what was refused, what each node said. */
import { useQueryClient } from '@tanstack/react-query'
import { PUSH_STATES, type PushState } from '@tidegate/contract/enums'
import { useRefresh } from '@tidegate/ui/RefreshInterval.tsx'
import { App, Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { ListTable } from '../../shared/list/ListTable.tsx'
import { useList } from '../../shared/list/useList.ts'
import { PageBody } from '../../shared/Page.tsx'
import { PushView } from '../../shared/push/PushView.tsx'
import { useSay } from '../../shared/useSay.tsx'
import { PUSHES, type PushRow } from './api.ts'
import { ByNumber } from './ByNumber.tsx'
import { usePushColumns } from './columns.tsx'
import './texts.ts'

/** Runs a write, says what came of it, reads the list again. */
const useRun = () => {
  const { message } = App.useApp()
  const say = useSay()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<string>) => {
    setBusy(true)
    try {
      message.success(await work())
    } catch (error) {
      say.failed(error)
    } finally {
      setBusy(false)
      await client.invalidateQueries({ queryKey: PUSHES })
    }
  }
  return { busy, run }
}

const Actions = () => {
  const { t } = useTranslation('push')
  const { message } = App.useApp()
  const client = useQueryClient()
  const { busy, run } = useRun()
  const [asking, setAsking] = useState(false)
  const [typing, setTyping] = useState(false)
  return (
    <>
      <Button disabled={busy} onClick={() => setTyping(true)}>
        {t('byNumber')}
      </Button>
      <Button disabled={busy} onClick={() => setAsking(true)}>
        {t('all')}
      </Button>
      <Button
        type="primary"
        loading={busy}
        onClick={() => void run(async () => t('runDone', { n: (await call('push.run', {})).task_size }))}
      >
        {t('run')}
      </Button>
      {typing ? <ByNumber onClose={() => setTyping(false)} /> : null}
      {asking ? (
        <Confirm
          title={t('allTitle')}
          question={t('allText')}
          okText={t('all')}
          onOk={async () => {
            await call('push.all', {})
            message.success(t('allDone'))
            await client.invalidateQueries({ queryKey: PUSHES })
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}

const stateOf = (search: URLSearchParams) => PUSH_STATES.find((s) => s === search.get('state'))

export const Page = () => {
  const { t } = useTranslation('push')
  const refresh = useRefresh(5000)
  const list = useList('push.list', PUSHES, {
    filters: (search) => ({ state: stateOf(search) }),
    every: refresh.interval,
  })
  const state = stateOf(list.search)
  const [shown, setShown] = useState<PushRow | null>(null)
  const columns = usePushColumns(setShown)
  return (
    <PageBody title={t('title')} sub={t('sub')} actions={<Actions />}>
      <ListTable
        list={list}
        label={t('title')}
        columns={columns}
        rowKey={(push) => `${push.scope}:${push.revision}`}
        toolbar={
          <Select<PushState | ''>
            aria-label={t('state')}
            value={state ?? ''}
            onChange={(value) => list.set({ state: value })}
            className="tool-select"
            options={[
              { value: '', label: t('anyState') },
              { value: 'pending', label: t('pending') },
              { value: 'refused', label: t('refused') },
              { value: 'done', label: t('done') },
            ]}
          />
        }
        empty={state === 'pending' ? t('empty') : t('emptyAny')}
        refresh={refresh}
      />
      <Drawer
        open={shown !== null}
        onClose={() => setShown(null)}
        title={t('feedbackTitle')}
        size={560}
        destroyOnHidden
      >
        {shown === null ? null : <PushView push={{ scope: shown.scope, revision: shown.revision }} />}
      </Drawer>
    </PageBody>
  )
}
