/** One site: its configuration in tabs, and each save's way to the nodes. */
import { useQueryClient } from '@tanstack/react-query'
import type { SiteInfo } from '@tidegate/contract/operations/site'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { FormPage } from '@tidegate/ui/FormPage.tsx'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { call } from '../../shared/api/call.ts'
import { Confirm } from '../../shared/Confirm.tsx'
import { Failed } from '../../shared/Failed.tsx'
import { PageBody } from '../../shared/Page.tsx'
import { usePageName } from '../../shared/page-key.ts'
import { PushView } from '../../shared/push/PushView.tsx'
import type { PushRef } from '../../shared/push/usePushWatch.ts'
import { useUnsaved } from '../../shared/unsaved.ts'
import { useSay } from '../../shared/useSay.tsx'
import { SITES, useSite } from './api.ts'
import { dirtyFields, formOf, inputOf, type SiteForm, type TabKey, tabOf } from './form.ts'
import { HistoryTab } from './HistoryTab.tsx'
import { HttpsTab } from './HttpsTab.tsx'
import { SaveFailed } from './SaveFailed.tsx'
import { SiteState } from './SiteState.tsx'
import { BasicTab, CacheTab, OriginTab } from './tabs.tsx'
import { useSiteSave } from './useSiteSave.ts'
import './site.css'
import './texts.ts'

/** The form over the site as the server has it; `reset` takes the server's anew. */
const useSiteForm = (site: SiteInfo) => {
  const [base, setBase] = useState(site)
  const [form, setForm] = useState<SiteForm>(() => formOf(site))
  const dirty = dirtyFields(form, formOf(base))
  // A newer answer (its state changes as nodes acknowledge) replaces the base only while nothing is typed.
  if (site !== base && dirty.length === 0) {
    setBase(site)
    setForm(formOf(site))
  }
  const reset = (to: SiteInfo) => {
    setBase(to)
    setForm(formOf(to))
  }
  return { base, form, setForm, dirty, reset }
}

interface RollbackProps {
  id: number
  version: number
  onPush: (push: PushRef) => void
  onClose: () => void
}

/** Goes back to a version after asking. */
const RollbackDialog = ({ id, version, onPush, onClose }: RollbackProps) => {
  const { t } = useTranslation('site')
  const client = useQueryClient()
  return (
    <Confirm
      title={t('rollbackTitle', { version })}
      question={t('rollbackText')}
      okText={t('rollback')}
      onOk={async () => {
        const { push } = await call('site.rollback', { id, version })
        onPush(push)
        await client.invalidateQueries({ queryKey: SITES })
      }}
      onClose={onClose}
    />
  )
}

const Conflict = ({ onReload, onOverwrite }: { onReload: () => void; onOverwrite: () => void }) => {
  const { t } = useTranslation('site')
  return (
    <Alert
      type="warning"
      title={t('conflictTitle')}
      description={t('conflictText')}
      action={
        <span className="tg-row">
          <Button size="small" onClick={onReload}>
            {t('reload')}
          </Button>
          <Button size="small" danger onClick={onOverwrite}>
            {t('overwrite')}
          </Button>
        </span>
      }
    />
  )
}

const Editor = ({ site, refetch }: { site: SiteInfo; refetch: () => Promise<SiteInfo | undefined> }) => {
  const { t } = useTranslation(['site', 'shared'])
  const say = useSay()
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const { base, form, setForm, dirty, reset } = useSiteForm(site)
  useUnsaved(dirty.length > 0)
  usePageName(site.domains[0])
  const { errors, failed, lacking, conflict, busy, save, clear } = useSiteSave()
  const [push, setPush] = useState<PushRef | null>(null)
  const [asked, ask] = useState<number | null>(null)
  const tab = search.get('tab') ?? 'basic'
  const setTab = (key: string) =>
    setSearch({ id: String(site.id), ...(key === 'basic' ? {} : { tab: key }) }, { replace: true })
  const reload = async () => {
    const fresh = await refetch()
    clear()
    if (fresh !== undefined) reset(fresh)
  }
  const submit = async (overwrite = false) => {
    const input = inputOf(form, base)
    const { version: _version, ...unchecked } = input
    const saved = await save(overwrite ? unchecked : input)
    if (saved === null) return
    say.ok('saved')
    setPush(saved.push)
    await reload()
    void client.invalidateQueries({ queryKey: [...SITES, 'history', site.id] })
  }
  const props = {
    site,
    form,
    errors,
    settings: form.settings,
    onForm: (part: Partial<SiteForm>) => setForm((old) => ({ ...old, ...part })),
    onSettings: (part: Partial<SiteForm['settings']>) =>
      setForm((old) => ({ ...old, settings: { ...old.settings, ...part } })),
  }
  const counts = (key: TabKey) => ({
    dirty: dirty.filter((field) => tabOf(field) === key).length,
    wrong: errors.filter((error) => tabOf(error.path) === key).length,
  })
  const back = (
    <Button size="small" onClick={() => ask(base.version - 1)} disabled={base.version <= 1}>
      {t('rollbackPrev')}
    </Button>
  )
  return (
    <PageBody
      title={site.domains[0]}
      sub={
        <>
          <SiteState site={site} />
          <span className="tg-row-tight">
            <span className="tg-mono">{site.cname}</span>
            <CopyButton text={site.cname} label={t('cname')} />
          </span>
        </>
      }
    >
      {push === null ? null : (
        <PushView push={push} siteId={site.id} onPush={setPush} actions={back} onClose={() => setPush(null)} />
      )}
      {conflict ? <Conflict onReload={() => void reload()} onOverwrite={() => void submit(true)} /> : null}
      {failed === '' ? null : <SaveFailed text={failed} lacking={lacking} />}
      <FormPage
        active={tab}
        onTab={setTab}
        busy={busy}
        onSave={submit}
        onDiscard={() => {
          clear()
          reset(site)
        }}
        tabs={[
          { key: 'basic', label: t('tabBasic'), children: <BasicTab {...props} />, ...counts('basic') },
          { key: 'origin', label: t('tabOrigin'), children: <OriginTab {...props} />, ...counts('origin') },
          { key: 'cache', label: t('tabCache'), children: <CacheTab {...props} />, ...counts('cache') },
          { key: 'https', label: t('tabHttps'), children: <HttpsTab {...props} />, ...counts('https') },
          {
            key: 'history',
            label: t('tabHistory'),
            children: <HistoryTab id={site.id} version={site.version} onRollback={ask} />,
          },
        ]}
      />
      {asked === null ? null : (
        <RollbackDialog id={site.id} version={asked} onPush={setPush} onClose={() => ask(null)} />
      )}
    </PageBody>
  )
}

export const Page = () => {
  const { t } = useTranslation('site')
  const [search] = useSearchParams()
  const id = Number(search.get('id')) || 0
  const site = useSite(id)
  if (id <= 0)
    return (
      <PageBody title={t('ownTitle')}>
        <div className="tg-panel tg-empty">{t('notFound')}</div>
      </PageBody>
    )
  if (site.data === undefined) {
    return site.error === null ? (
      <div className="shell-progress" role="progressbar" aria-label={t('title')} />
    ) : (
      <PageBody title={t('ownTitle')}>
        <div className="tg-panel">
          <Failed error={site.error} onRetry={() => void site.refetch()} />
        </div>
      </PageBody>
    )
  }
  return <Editor key={id} site={site.data} refetch={async () => (await site.refetch()).data} />
}
