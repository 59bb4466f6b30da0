/** The fields that adding and editing a site share. */
import type { FieldError } from '@tidegate/contract/issues'
import { lines } from '@tidegate/contract/validators'
import { Input, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { Field } from '../../shared/Field.tsx'
import { lineErrors, type SiteForm } from './form.ts'
import { OriginsEditor } from './OriginsEditor.tsx'

export interface PartProps {
  form: SiteForm
  errors: readonly FieldError[]
  onForm: (part: Partial<SiteForm>) => void
}

/** `first`: what the form begins with, so it takes the focus. */
export const DomainsField = ({ form, errors, onForm, first = false }: PartProps & { first?: boolean }) => {
  const { t } = useTranslation('site')
  const typed = lines(form.domains)
  return (
    <Field label={t('domains')} required hint={t('domainsHint')} error={lineErrors(errors, 'domains', typed)}>
      {(control) => (
        <Input.TextArea
          {...control}
          autoFocus={first}
          value={form.domains}
          onChange={(e) => onForm({ domains: e.target.value })}
          autoSize={{ minRows: 2, maxRows: 10 }}
          spellCheck={false}
          placeholder="www.example.com"
          className="tg-mono"
        />
      )}
    </Field>
  )
}

export const OriginFields = ({ form, errors, onForm }: PartProps) => {
  const { t } = useTranslation('site')
  return (
    <>
      <Field label={t('originProtocol')} required error={errors.find((e) => e.path === 'originProtocol')?.msg}>
        {() => (
          <Segmented<SiteForm['originProtocol']>
            aria-label={t('originProtocol')}
            value={form.originProtocol}
            onChange={(originProtocol) => onForm({ originProtocol })}
            options={[
              { value: 'http', label: t('http') },
              { value: 'https', label: t('https') },
              { value: 'follow', label: t('follow') },
            ]}
          />
        )}
      </Field>
      <Field label={t('origins')} required>
        {() => (
          <OriginsEditor
            origins={form.origins}
            protocol={form.originProtocol}
            errors={errors}
            onChange={(origins) => onForm({ origins })}
          />
        )}
      </Field>
    </>
  )
}
