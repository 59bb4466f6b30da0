/** The origins of a site as rows: host, ports, line, weight. */
import type { FieldError } from '@tidegate/contract/issues'
import { MAX_ORIGINS_PER_SITE } from '@tidegate/contract/limits'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { Button, Input, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { newOrigin, type OriginForm, type SiteForm } from './form.ts'

interface Props {
  origins: readonly OriginForm[]
  protocol: SiteForm['originProtocol']
  errors: readonly FieldError[]
  onChange: (origins: OriginForm[]) => void
}

interface RowProps {
  row: OriginForm
  index: number
  protocol: SiteForm['originProtocol']
  errors: readonly FieldError[]
  single: boolean
  onRow: (part: Partial<OriginForm>) => void
  onRemove: () => void
}

const Row = ({ row, index, protocol, errors, single, onRow, onRemove }: RowProps) => {
  const { t } = useTranslation('site')
  const wrong = errors.filter((e) => e.path.startsWith(`origins.${index}.`))
  const status = (name: string) => (wrong.some((e) => e.path === `origins.${index}.${name}`) ? ('error' as const) : '')
  return (
    <li>
      <div className="origin-row">
        <Input
          aria-label={t('host')}
          placeholder={t('host')}
          value={row.host}
          status={status('host')}
          onChange={(e) => onRow({ host: e.target.value })}
          spellCheck={false}
          className="origin-host"
        />
        {protocol === 'https' ? null : (
          <InputNumber<number>
            aria-label={t('httpPort')}
            prefix={<span className="tg-faint">http</span>}
            value={row.httpPort}
            status={status('httpPort')}
            controls={false}
            onChange={(httpPort) => onRow({ httpPort })}
          />
        )}
        {protocol === 'http' ? null : (
          <InputNumber<number>
            aria-label={t('httpsPort')}
            prefix={<span className="tg-faint">https</span>}
            value={row.httpsPort}
            status={status('httpsPort')}
            controls={false}
            onChange={(httpsPort) => onRow({ httpsPort })}
          />
        )}
        <Select<OriginForm['line']>
          aria-label={t('line')}
          value={row.line}
          onChange={(line) => onRow({ line })}
          options={[
            { value: 'main', label: t('lineMain') },
            { value: 'spare', label: t('lineSpare') },
          ]}
        />
        <InputNumber<number>
          aria-label={t('weight')}
          prefix={<span className="tg-faint">{t('weight')}</span>}
          value={row.weight}
          status={status('weight')}
          controls={false}
          onChange={(weight) => onRow({ weight })}
        />
        <button
          type="button"
          className="tg-icon-button tg-icon-button-32"
          disabled={single}
          aria-label={t('removeOrigin')}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      {wrong.length === 0 ? null : <p className="origin-error">{wrong.map((e) => e.msg).join(' · ')}</p>}
    </li>
  )
}

export const OriginsEditor = ({ origins, protocol, errors, onChange }: Props) => {
  const { t } = useTranslation('site')
  const whole = errors.find((e) => e.path === 'origins')
  return (
    <div>
      <ul className="origin-rows">
        {origins.map((row, i) => (
          <Row
            key={row.key}
            row={row}
            index={i}
            protocol={protocol}
            errors={errors}
            single={origins.length === 1}
            onRow={(part) => onChange(origins.map((o) => (o.key === row.key ? { ...o, ...part } : o)))}
            onRemove={() => onChange(origins.filter((o) => o.key !== row.key))}
          />
        ))}
      </ul>
      {whole === undefined ? null : <p className="origin-error">{whole.msg}</p>}
      <Button
        size="small"
        icon={<Icon name="plus" size={14} />}
        disabled={origins.length >= MAX_ORIGINS_PER_SITE}
        onClick={() => onChange([...origins, newOrigin()])}
      >
        {t('addOrigin')}
      </Button>
    </div>
  )
}
