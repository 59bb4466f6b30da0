/** Payment channels with their parameters. */
import { PAYMENT_PARAMS, PAYMENT_SCHEMAS, type PaymentMethod, paymentRecordId } from '@tidegate/contract/config/payment'
import { PAYMENT_METHODS } from '@tidegate/contract/enums'
import type { ConfigRow } from '@tidegate/contract/operations/config'
import { Alert, Collapse } from 'antd'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from './form.ts'
import { ParamFields, presetsOf } from './ParamFields.tsx'
import { RecordPanel } from './RecordPanel.tsx'
import { RecordSwitch } from './RecordSwitch.tsx'
import { RecordsPage } from './RecordsPage.tsx'
import { SetState } from './SetState.tsx'

const METHODS = Object.keys(PAYMENT_METHODS) as PaymentMethod[]

const Channel = ({ row, method }: { row: ConfigRow; method: PaymentMethod }) => {
  const { t } = useTranslation('settings')
  const params = PAYMENT_PARAMS[method]
  const form = useRecordForm(row, PAYMENT_SCHEMAS[method], presetsOf(params))
  return (
    <RecordPanel form={form} title={row.remark} state={<RecordSwitch form={form} name={row.remark} />}>
      {method === 'crypto' ? <Alert type="warning" showIcon title={t('cryptoWarning')} /> : null}
      {params.length === 0 ? <p className="tg-soft">{t('noParams')}</p> : null}
      <ParamFields form={form} params={params} />
    </RecordPanel>
  )
}

export const Page = () => {
  const { t } = useTranslation('settings')
  return (
    <RecordsPage paramClass="payment" title={t('payment')} sub={t('paymentSub')}>
      {(_recordOf, rows) => (
        <Collapse
          className="settings-channels"
          accordion
          items={METHODS.flatMap((method) => {
            const row = rows.find((r) => r.id === paymentRecordId(method))
            if (row === undefined) return []
            return [
              {
                key: method,
                label: `${PAYMENT_METHODS[method]} · ${row.remark}`,
                extra: <SetState row={row} />,
                children: <Channel row={row} method={method} />,
              },
            ]
          })}
        />
      )}
    </RecordsPage>
  )
}
