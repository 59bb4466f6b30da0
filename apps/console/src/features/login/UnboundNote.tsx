/** A WeChat account that nobody here has: says how it is linked, and how to go on without. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Unbound } from '../../shared/outside.ts'

export const UnboundNote = ({ unbound, onDrop }: { unbound: Unbound; onDrop: () => void }) => {
  const { t } = useTranslation('login')
  return (
    <section className="login-note" aria-label={t('unboundTitle')}>
      <p>{t('unbound', { nickname: unbound.nickname })}</p>
      <div className="login-ways">
        {unbound.register ? <Link to="/register">{t('unboundRegister')}</Link> : null}
        <button type="button" className="tg-link-button" onClick={onDrop}>
          {t('unboundDrop')}
        </button>
      </div>
    </section>
  )
}
