/** While the control plane checks and restores: asks what became of it, also when the answer was lost, and says so. */
import { useQuery } from '@tanstack/react-query'
import { PageModal } from '@tidegate/ui/PageModal.tsx'
import { Alert, Button, Spin } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { setToken } from '../../shared/token.ts'
import { BACKUPS, type Progress, restoreProgress } from './api.ts'
import { useReason } from './words.ts'

const POLL_MS = 1500
/** Looks after which what the server does not know is not on its way either. */
const MISSES = 3

/** The login was in what was replaced: the page begins anew at the login. */
const logInAgain = () => {
  setToken(null)
  window.location.reload()
}

const isOver = (progress: Progress | undefined): boolean =>
  typeof progress === 'object' && progress.state !== 'checking' && progress.state !== 'restoring'

/** `undefined` while it goes on. */
const useEnd = (request: string) => {
  const misses = useRef(0)
  const { data } = useQuery({
    queryKey: [...BACKUPS, 'restoring', request],
    queryFn: async () => {
      const progress = await restoreProgress(request)
      misses.current = progress === 'missing' ? misses.current + 1 : 0
      return progress === 'missing' && misses.current < MISSES ? 'silent' : progress
    },
    refetchInterval: ({ state }) => (isOver(state.data) || state.data === 'missing' ? false : POLL_MS),
    gcTime: 0,
  })
  return isOver(data) || data === 'missing' ? data : undefined
}

const NotRestored = ({ end, onClose }: { end: Progress; onClose: () => void }) => {
  const { t } = useTranslation(['backup', 'shared'])
  const reason = useReason()
  return (
    <>
      <Alert
        type="error"
        title={t('notRestored')}
        description={typeof end === 'object' ? reason(end) : t('neverCame')}
      />
      <div>
        <Button onClick={onClose}>{t('close', { ns: 'shared' })}</Button>
      </div>
    </>
  )
}

export const Waiting = ({ request, onClose }: { request: string; onClose: () => void }) => {
  const { t } = useTranslation('backup')
  const end = useEnd(request)
  return (
    <PageModal open closable={false} keyboard={false} mask={{ closable: false }} title={t('restoring')} footer={null}>
      <div className="tg-stack" aria-live="polite">
        {end === undefined ? (
          <div>
            <Spin size="small" /> {t('restoringText')}
          </div>
        ) : typeof end === 'object' && end.state === 'done' ? (
          <>
            <Alert type="success" title={t('restored')} description={t('restoredText')} />
            <div>
              <Button type="primary" onClick={logInAgain}>
                {t('logIn')}
              </Button>
            </div>
          </>
        ) : (
          <NotRestored end={end} onClose={onClose} />
        )}
      </div>
    </PageModal>
  )
}
