/** Cache rules as rows: what they match and for how long. */
import type { FieldError } from '@tidegate/contract/issues'
import { MAX_CACHE_RULES } from '@tidegate/contract/limits'
import type { SiteSettings } from '@tidegate/contract/operations/site'
import { Icon } from '@tidegate/ui/Icon.tsx'
import { Button, Input, InputNumber, Select } from 'antd'
import { useTranslation } from 'react-i18next'

type Rule = SiteSettings['cacheRules'][number]

interface Props {
  name: 'cacheRules' | 'noCacheRules'
  rules: readonly Rule[]
  errors: readonly FieldError[]
  onRules: (rules: Rule[]) => void
}

const PLACEHOLDERS: Record<Rule['type'], string> = {
  all: '',
  ext: 'jpg|png|css|js',
  prefix: '/static/',
  exact: '/index.html',
}

const Row = ({
  rule,
  timed,
  wrong,
  onRule,
  onRemove,
}: {
  rule: Rule
  timed: boolean
  wrong: readonly FieldError[]
  onRule: (part: Partial<Rule>) => void
  onRemove: () => void
}) => {
  const { t } = useTranslation('site')
  return (
    <>
      <div className="origin-row">
        <Select<Rule['type']>
          aria-label={t('ruleType')}
          value={rule.type}
          onChange={(type) => onRule({ type, ...(type === 'all' ? { match: '' } : {}) })}
          className="rule-type"
          options={[
            { value: 'all', label: t('ruleAll') },
            { value: 'ext', label: t('ruleExt') },
            { value: 'prefix', label: t('rulePrefix') },
            { value: 'exact', label: t('ruleExact') },
          ]}
        />
        <Input
          aria-label={t('ruleMatch')}
          value={rule.match}
          disabled={rule.type === 'all'}
          placeholder={PLACEHOLDERS[rule.type]}
          status={wrong.some((e) => e.path.endsWith('.match')) ? 'error' : ''}
          onChange={(e) => onRule({ match: e.target.value })}
          spellCheck={false}
          className="origin-host"
        />
        {timed ? (
          <InputNumber<number>
            aria-label={t('ruleTtl')}
            suffix={<span className="tg-faint">s</span>}
            value={rule.ttl}
            min={0}
            controls={false}
            onChange={(ttl) => onRule({ ttl: ttl ?? 0 })}
          />
        ) : null}
        <button
          type="button"
          className="tg-icon-button tg-icon-button-32"
          aria-label={t('removeRule')}
          onClick={onRemove}
        >
          <Icon name="trash" />
        </button>
      </div>
      {wrong.length === 0 ? null : <p className="origin-error">{wrong.map((e) => e.msg).join(' · ')}</p>}
    </>
  )
}

export const RulesEditor = ({ name, rules, errors, onRules }: Props) => {
  const { t } = useTranslation('site')
  const timed = name === 'cacheRules'
  return (
    <div>
      {rules.length === 0 ? <p className="tg-soft rule-none">{timed ? t('noRules') : t('noNoRules')}</p> : null}
      <ul className="origin-rows">
        {rules.map((rule, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place in the order
          <li key={i}>
            <Row
              rule={rule}
              timed={timed}
              wrong={errors.filter((e) => e.path.startsWith(`settings.${name}.${i}.`))}
              onRule={(part) => onRules(rules.map((r, at) => (at === i ? { ...r, ...part } : r)))}
              onRemove={() => onRules(rules.filter((_, at) => at !== i))}
            />
          </li>
        ))}
      </ul>
      <Button
        size="small"
        icon={<Icon name="plus" size={14} />}
        disabled={rules.length >= MAX_CACHE_RULES}
        onClick={() => onRules([...rules, { type: 'ext', match: '', ttl: timed ? 3600 : 0 }])}
      >
        {t('addRule')}
      </Button>
    </div>
  )
}
