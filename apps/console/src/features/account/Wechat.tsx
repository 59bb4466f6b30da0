/** The WeChat account that one logs in by: linked by scanning, with the password asked for on both ways. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RelativeTime } from '@tidegate/ui/RelativeTime.tsx'
import { Alert, App, Button } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { actingNow } from '../../shared/acting.ts'
import { call } from '../../shared/api/call.ts'
import { errorLine } from '../../shared/api/error.ts'
import { answerWaits, leaveForProvider, takeAnswer } from '../../shared/outside.ts'
import { Ask } from '../../shared/security/Ask.tsx'

const WECHAT = ['wechat'] as const

/** Finishes what was begun before the browser went to WeChat; says what went wrong. */
const useReturn = (onLinked: () => void): string => {
  const { t } = useTranslation('account')
  const { message } = App.useApp()
  const [failed, setFailed] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answer is taken once, when the page comes back from WeChat
  useEffect(() => {
    if (answerWaits() !== 'link') return
    const answer = takeAnswer()
    if (answer === null) return
    // An expired ticket is a 401 of its own, and no end of the login.
    const { ticket, query } = answer
    call('wechat.linkFinish', { ticket, query }, { quiet: true }).then(
      () => {
        message.success(t('wechatLinked'))
        onLinked()
      },
      (error: unknown) => setFailed(errorLine(error)),
    )
  }, [])
  return failed
}

/** A row of the list of what is bound; nothing where WeChat is neither offered nor linked. */
export const WechatRow = () => {
  const { t } = useTranslation('account')
  const { message } = App.useApp()
  const client = useQueryClient()
  const [asking, setAsking] = useState<'link' | 'unlink' | null>(null)
  const { data } = useQuery({
    queryKey: WECHAT,
    queryFn: ({ signal }) => call('wechat.info', {}, { signal }),
    select: (answer) => answer.data,
  })
  const changed = () => void client.invalidateQueries({ queryKey: WECHAT })
  const failed = useReturn(changed)
  if (data === undefined || (!data.offered && data.linked === null)) return null
  const { linked, offered } = data
  const guarded = actingNow() !== null
  return (
    <li>
      <span className="tg-soft">{t('wechat')}</span>
      <span className={linked === null ? 'tg-faint' : ''}>
        {linked === null ? (
          t('notBound')
        ) : (
          <>
            {linked.nickname === '' ? t('wechatNameless') : linked.nickname}{' '}
            <span className="tg-faint">
              <RelativeTime iso={linked.time} />
            </span>
          </>
        )}
      </span>
      <span className="tg-row">
        {offered ? (
          <Button size="small" disabled={guarded} onClick={() => setAsking('link')}>
            {linked === null ? t('bind') : t('change')}
          </Button>
        ) : null}
        {linked === null ? null : (
          <Button size="small" disabled={guarded} onClick={() => setAsking('unlink')}>
            {t('wechatUnlink')}
          </Button>
        )}
      </span>
      {failed === '' ? null : <Alert type="error" className="account-wide" title={failed} />}
      {asking === 'link' ? (
        <Ask
          title={t('wechatBind')}
          text={t('wechatBindText')}
          okText={t('wechatScan')}
          onClose={() => setAsking(null)}
          run={async ({ password }) => leaveForProvider(await call('wechat.link', { password }), { link: true })}
        />
      ) : null}
      {asking === 'unlink' ? (
        <Ask
          title={t('wechatUnlinkTitle')}
          text={t('wechatUnlinkText')}
          okText={t('wechatUnlink')}
          danger
          onClose={() => setAsking(null)}
          run={async ({ password }) => {
            await call('wechat.unlink', { password })
            message.success(t('wechatUnlinked'))
            setAsking(null)
            changed()
          }}
        />
      ) : null}
    </li>
  )
}
