/** One entry of a node's memory, whole; JSON is laid out. */
import type { MemoryEntry } from '@tidegate/contract/node/questions'
import { CopyButton } from '@tidegate/ui/CopyButton.tsx'
import { useUi } from '@tidegate/ui/context'
import { bytes, figureText } from '@tidegate/ui/format'
import { Descriptions, Drawer } from 'antd'
import { useTranslation } from 'react-i18next'
import { Failed } from '../../shared/Failed.tsx'
import { type Looked, useEntry } from './api.ts'
import { Lifetime } from './Lifetime.tsx'

/** JSON with two spaces a level; anything else as it is. */
const laidOut = (text: string): string => {
  if (!/^[{[]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const Value = ({ looked, entry }: { looked: Looked; entry: MemoryEntry }) => {
  const { t } = useTranslation('tools')
  const { data, error, refetch } = useEntry(looked, entry.id)
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <div className="tg-bone" />
  const text = data.form === 'binary' ? data.value : laidOut(data.value)
  return (
    <>
      <pre className="tools-whole">{text}</pre>
      <p className="tg-row-tight">
        <CopyButton text={text} label={t('value')} />
        {data.form === 'binary' ? <span className="tg-faint">{t('binary')}</span> : null}
        {data.cut ? <span className="tg-faint">{t('cut')}</span> : null}
      </p>
    </>
  )
}

interface Props {
  looked: Looked
  /** Words for the part of memory. */
  dict: string
  /** null: closed. */
  entry: MemoryEntry | null
  onClose: () => void
}

export const EntryDrawer = ({ looked, dict, entry, onClose }: Props) => {
  const { t } = useTranslation('tools')
  const { lang } = useUi()
  return (
    <Drawer open={entry !== null} onClose={onClose} title={t('entryTitle')} size={560} destroyOnHidden>
      {entry === null ? null : (
        <>
          <Descriptions
            column={1}
            size="small"
            items={[
              { key: 'dict', label: t('dict'), children: dict },
              { key: 'key', label: t('key'), children: <span className="tg-mono tools-break">{entry.key}</span> },
              { key: 'size', label: t('size'), children: figureText(bytes(entry.size, lang)) },
              { key: 'ttl', label: t('ttl'), children: <Lifetime seconds={entry.ttl} /> },
            ]}
          />
          {entry.masked ? <p className="tg-soft">{t('hiddenText')}</p> : <Value looked={looked} entry={entry} />}
        </>
      )}
    </Drawer>
  )
}
