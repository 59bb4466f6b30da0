/** The parameters of an outside service, made from the contract's table. */
import { type Param, paramShown } from '@tidegate/contract/config/params'
import { SecretMember, SelectMember, TextMember } from './fields.tsx'
import type { Members, RecordForm } from './form.ts'
import { useChoiceWords, useParamWords } from './words.ts'

const ParamField = ({ form, param }: { form: RecordForm; param: Param }) => {
  const words = useParamWords()
  const choices = useChoiceWords()
  const props = { form, path: param.name, label: words[param.name] ?? param.name, required: !param.optional }
  if (param.kind === 'choice')
    return (
      <SelectMember
        {...props}
        options={(param.choices ?? []).map((value) => ({ value, label: choices[value] ?? value }))}
      />
    )
  const lines = param.kind === 'lines' ? 3 : undefined
  return param.secret ? <SecretMember {...props} lines={lines} /> : <TextMember {...props} lines={lines} />
}

export const ParamFields = ({ form, params }: { form: RecordForm; params: readonly Param[] }) => (
  <>
    {params
      .filter((param) => paramShown(param, form.value as Members))
      .map((param) => (
        <ParamField key={param.name} form={form} param={param} />
      ))}
  </>
)

/** What an empty form begins with. */
export const presetsOf = (params: readonly Param[]): Record<string, string> =>
  Object.fromEntries(params.map((param) => [param.name, param.preset ?? '']))
