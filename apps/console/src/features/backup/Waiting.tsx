/** While the control plane restores: waits for its answer and says what became of it. */
import { useQuery } from '@tanstack/react-query'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Button, Spin } from 'antd'
import { useTranslation } from 'react-i18next'
import { setToken } from '../../shared/token.ts'
import { BACKUPS, restoreProgress } from './api.ts'

const POLL_MS = 1500

/** The login was in what was replaced: the page begins anew at the login. */
const logInAgain = () => {
  setToken(null)
  window.location.reload()
}

export const Waiting = ({ before, lost, onClose }: { before: string; lost: boolean; onClose: () => void }) => {
  const { t } = useTranslation(['backup', 'shared'])
  const { data } = useQuery({
    queryKey: [...BACKUPS, 'restoring', before],
    queryFn: () => restoreProgress(before, lost),
    refetchInterval: ({ state }) => (state.data?.over === true ? false : POLL_MS),
    gcTime: 0,
  })
  const over = data?.over === true
  return (
    <PageModal open closable={false} keyboard={false} mask={{ closable: false }} title={t('restoring')} footer={null}>
      <div className="tg-stack" aria-live="polite">
        {over ? null : (
          <div>
            <Spin size="small" /> {t('restoringText')}
          </div>
        )}
        {over && data.ok ? (
          <>
            <Alert type="success" title={t('restored')} description={t('restoredText')} />
            <div>
              <Button type="primary" onClick={logInAgain}>
                {t('logIn')}
              </Button>
            </div>
          </>
        ) : null}
        {over && !data.ok ? (
          <>
            <Alert type="error" title={t('notRestored')} description={data.error || t('answerLost')} />
            <div>
              <Button onClick={onClose}>{t('close', { ns: 'shared' })}</Button>
            </div>
          </>
        ) : null}
      </div>
    </PageModal>
  )
}
