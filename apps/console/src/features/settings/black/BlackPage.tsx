/** The DNS blacklist: its domains, and how they are answered. */
import { ActionMenu } from '@tidegate/ui/ActionMenu.tsx'
import { Button, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../../shared/AddButton.tsx'
import { download } from '../../../shared/api/call.ts'
import { saveFile } from '../../../shared/list/exports.ts'
import { PageBody } from '../../../shared/Page.tsx'
import { useListQuery } from '../../../shared/useListQuery.ts'
import { useSay } from '../../../shared/useSay.tsx'
import { useMay } from '../../../shell/session.ts'
import { type Doing, DomainsTab } from './DomainsTab.tsx'
import { SettingTab } from './SettingTab.tsx'
import '../settings.css'
import '../texts.ts'
import './black.css'
import './texts.ts'

const Actions = ({ onDo }: { onDo: (doing: Doing) => void }) => {
  const { t } = useTranslation('black')
  const say = useSay()
  const maySave = useMay('dns:black:config:save')
  const mayDelete = useMay('dns:black:config:delete')
  const exportText = async () => {
    try {
      saveFile(await download('black.export', {}, { long: true }))
    } catch (error) {
      say.failed(error)
    }
  }
  const items = [
    { key: 'export', label: t('exportText'), onClick: () => void exportText() },
    ...(mayDelete ? [{ key: 'clear', label: t('clear'), danger: true, onClick: () => onDo({ what: 'clear' }) }] : []),
  ]
  return (
    <>
      <ActionMenu menu={{ items }}>
        <Button>{t('more')}</Button>
      </ActionMenu>
      {maySave ? (
        <>
          <Button onClick={() => onDo({ what: 'import' })}>{t('import')}</Button>
          <AddButton label={t('add')} onAdd={() => onDo({ what: 'add' })} />
        </>
      ) : null}
    </>
  )
}

export const Page = () => {
  const { t } = useTranslation('black')
  const { search, set } = useListQuery()
  const [doing, setDoing] = useState<Doing>(null)
  const tab = search.get('tab') === 'setting' ? 'setting' : 'domains'
  return (
    <PageBody title={t('title')} sub={t('sub')} actions={tab === 'domains' ? <Actions onDo={setDoing} /> : undefined}>
      <Tabs
        activeKey={tab}
        onChange={(next) => set({ tab: next === 'domains' ? undefined : next })}
        destroyOnHidden
        items={[
          { key: 'domains', label: t('domains'), children: <DomainsTab doing={doing} onDo={setDoing} /> },
          { key: 'setting', label: t('setting'), children: <SettingTab /> },
        ]}
      />
    </PageBody>
  )
}
