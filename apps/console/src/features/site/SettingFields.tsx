/** Controls for the site's settings, one per kind of value, each at its path so that errors find it. */
import type { FieldError } from '@tidegate/contract/issues'
import type { SiteSettings } from '@tidegate/contract/operations/site'
import { NumberInput } from '@tidegate/ui/NumberInput.tsx'
import { Input, Switch } from 'antd'
import { Field } from '../../shared/Field.tsx'
import { errorAt } from './form.ts'

export interface SettingsProps {
  settings: SiteSettings
  errors: readonly FieldError[]
  onSettings: (part: Partial<SiteSettings>) => void
}

type KeysOf<T> = { [K in keyof SiteSettings]: SiteSettings[K] extends T ? K : never }[keyof SiteSettings]

interface OneProps<K> extends SettingsProps {
  name: K
  label: string
  hint?: string
}

export const SwitchField = ({ name, label, settings, errors, onSettings }: OneProps<KeysOf<boolean>>) => (
  <Field label={label} error={errorAt(errors, `settings.${name}`)}>
    {(control) => (
      <Switch {...control} aria-label={label} checked={settings[name]} onChange={(on) => onSettings({ [name]: on })} />
    )}
  </Field>
)

export const TextField = ({ name, label, hint, settings, errors, onSettings }: OneProps<'hostHeader' | 'sni'>) => (
  <Field label={label} {...(hint === undefined ? {} : { hint })} error={errorAt(errors, `settings.${name}`)}>
    {(control) => (
      <Input
        {...control}
        value={settings[name]}
        spellCheck={false}
        onChange={(e) => onSettings({ [name]: e.target.value })}
      />
    )}
  </Field>
)

type NumberName = 'connectTimeout' | 'readTimeout' | 'retries' | 'staleWhileRevalidate' | 'staleIfError' | 'hstsMaxAge'

/** The least of each, as the schema has it. */
const LEAST: Partial<Record<NumberName, number>> = { connectTimeout: 1, readTimeout: 1 }

/** An emptied number goes back to the least. */
export const NumberField = ({ name, label, settings, errors, onSettings }: OneProps<NumberName>) => (
  <Field label={label} error={errorAt(errors, `settings.${name}`)}>
    {(control) => (
      <NumberInput
        {...control}
        value={settings[name]}
        min={LEAST[name] ?? 0}
        className="site-number"
        onChange={(value) => onSettings({ [name]: value })}
      />
    )}
  </Field>
)
