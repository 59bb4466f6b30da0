/** Words for events, channels, states and faults. */
import type { NotifyChannel, NotifyEvent, NotifyFault, NotifyState } from '@tidegate/contract/config/notify'
import { useTranslation } from 'react-i18next'

export const useEventWords = (): Record<NotifyEvent, string> => {
  const { t } = useTranslation('notify')
  return {
    code: t('code'),
    meal_out: t('mealOut'),
    meal_expire: t('mealExpire'),
    flow_out: t('flowOut'),
    flow_expire: t('flowExpire'),
    cert_expire: t('certExpire'),
    cert_expired: t('certExpired'),
    cert_failed: t('certFailed'),
    login_new: t('loginNew'),
    password_changed: t('passwordChanged'),
    factor_added: t('factorAdded'),
    factor_removed: t('factorRemoved'),
    wechat_linked: t('wechatLinked'),
    wechat_replaced: t('wechatReplaced'),
    wechat_unlinked: t('wechatUnlinked'),
    account_disabled: t('accountDisabled'),
    work_order_reply: t('workOrderReply'),
    work_order_new: t('workOrderNew'),
    work_order_appeal: t('workOrderAppeal'),
    cert_report: t('certReport'),
    cert_failed_report: t('certFailedReport'),
    node_down: t('nodeDown'),
    node_back: t('nodeBack'),
    task_failed: t('taskFailed'),
    figures_differ: t('figuresDiffer'),
    test: t('test'),
  }
}

export const useChannelWords = (): Record<NotifyChannel, string> => {
  const { t } = useTranslation('notify')
  return { message: t('message'), mail: t('mail'), sms: t('sms'), telegram: t('telegram'), webhook: t('webhook') }
}

export const useStateWords = (): Record<NotifyState, string> => {
  const { t } = useTranslation('notify')
  return {
    queued: t('queued'),
    sending: t('sending'),
    sent: t('sent'),
    failed: t('failed'),
    unknown: t('unknown'),
    skipped: t('skipped'),
  }
}

export const useFaultWords = (): Record<NotifyFault, string> => {
  const { t } = useTranslation('notify')
  return {
    none: '',
    not_configured: t('notConfigured'),
    auth: t('auth'),
    refused: t('refused'),
    temporary: t('temporary'),
    unreachable: t('unreachable'),
    certificate: t('certificate'),
    silent: t('silent'),
    rate: t('rate'),
    switched_off: t('switchedOff'),
    expired: t('expired'),
    private_address: t('privateAddress'),
  }
}
