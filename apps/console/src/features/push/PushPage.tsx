/** Pushes: what waits, what was refused, what each node said. */
import { useQueryClient } from '@tanstack/react-query'
import { PUSH_STATES, type PushState } from '@tidegate/contract/enums'
import { DataTable } from '@tidegate/ui/DataTable.tsx'
import { App, Button, Drawer, Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { PushView } from '../../shared/push/PushView.tsx'
import { useListQuery } from '../../shared/useListQuery.ts'
import { useSay } from '../../shared/useSay.tsx'
import { PUSHES, type PushRow, usePushes } from './api.ts'
import { type KeyedPush, usePushColumns } from './columns.tsx'
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
  return (
    <>
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

export const Page = () => {
  const { t } = useTranslation('push')
  const { query, search, set } = useListQuery()
  const state = PUSH_STATES.find((s) => s === search.get('state'))
  const pushes = usePushes({ ...query, ...(state === undefined ? {} : { state }) })
  const [shown, setShown] = useState<PushRow | null>(null)
  const columns = usePushColumns(setShown)
  const rows: KeyedPush[] | undefined = pushes.data?.list.map((p) => ({ ...p, key: `${p.scope}:${p.revision}` }))
  return (
    <PageBody title={t('title')} sub={t('sub')} actions={<Actions />}>
      <DataTable<KeyedPush>
        label={t('title')}
        columns={columns}
        rows={rows}
        total={pushes.data?.totalCount ?? 0}
        loading={pushes.isPending}
        query={query}
        onQuery={(change) => set({ ...change })}
        toolbar={
          <Select<PushState | ''>
            aria-label={t('state')}
            value={state ?? ''}
            onChange={(value) => set({ state: value })}
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
        failed={
          pushes.error === null ? undefined : <Failed error={pushes.error} onRetry={() => void pushes.refetch()} />
        }
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
