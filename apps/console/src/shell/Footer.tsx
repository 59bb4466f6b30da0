/** Who runs the installation and how they are reached: of the page config, what is set. */
import { type ComponentType, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { chunk } from '../shared/chunk.ts'
import { CONTACTS, type Contact, PRODUCT, useSite } from '../shared/site-config.ts'
import { useSay } from '../shared/useSay.tsx'

/** How a contact is reached from a browser; null: it is only shown. */
const HREF: Record<Contact, (value: string) => string | null> = {
  mobile: (value) => `tel:${value.replace(/[^\d+]/g, '')}`,
  email: (value) => `mailto:${value}`,
  qq: () => null,
  telegram: (value) => (/^@?\w+$/.test(value) ? `https://t.me/${value.replace('@', '')}` : null),
  skype: (value) => `skype:${encodeURIComponent(value)}?chat`,
}

const Contacts = () => {
  const { t } = useTranslation('shell')
  const contact = useSite((s) => s.web.contact)
  const names: Record<Contact, string> = {
    mobile: t('mobile'),
    email: t('email'),
    qq: t('qq'),
    telegram: t('telegram'),
    skype: t('skype'),
  }
  return CONTACTS.filter((key) => contact[key] !== '').map((key) => {
    const href = HREF[key](contact[key])
    return (
      <span key={key}>
        {names[key]}{' '}
        {href === null ? (
          contact[key]
        ) : (
          <a href={href} target={href.startsWith('https:') ? '_blank' : undefined} rel="noreferrer">
            {contact[key]}
          </a>
        )}
      </span>
    )
  })
}

/** The dialog's code comes when it is opened first. */
const Agreement = () => {
  const { t } = useTranslation('shell')
  const say = useSay()
  const [Dialog, setDialog] = useState<ComponentType<{ onClose: () => void }>>()
  const show = async () => {
    try {
      const { AgreementDialog } = await chunk(() => import('./AgreementDialog.tsx'))
      setDialog(() => AgreementDialog)
    } catch (error) {
      say.failed(error)
    }
  }
  return (
    <>
      <button type="button" className="tg-link-button" onClick={() => void show()}>
        {t('agreement')}
      </button>
      {Dialog === undefined ? null : <Dialog onClose={() => setDialog(undefined)} />}
    </>
  )
}

export const Footer = () => {
  const { t } = useTranslation('shell')
  const web = useSite((s) => s.web)
  const owner = web.company || web.name || PRODUCT
  return (
    <footer className="shell-footer">
      <span>{t('copyright', { year: new Date().getFullYear(), owner })}</span>
      <Link to="/console">{t('home')}</Link>
      <Agreement />
      {[web.icp, web.isp].map((text) => (text === '' ? null : <span key={text}>{text}</span>))}
      <Contacts />
    </footer>
  )
}
