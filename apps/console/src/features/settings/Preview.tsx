/** What the website settings look like before they are saved: the browser's tab, the top bar, the footer. */
import { useTranslation } from 'react-i18next'
import type { RecordForm } from './form.ts'

export const Preview = ({ form }: { form: RecordForm }) => {
  const { t } = useTranslation('settings')
  const { text } = form
  const name = text('basic.webName')
  const lines = [
    [text('contact.company'), text('basic.icp'), text('basic.isp')],
    [text('contact.mobile'), text('contact.email')],
    ['QQ', 'Telegram', 'Skype'].map((label) => {
      const value = text(`contact.${label.toLowerCase()}`)
      return value === '' ? '' : `${label} ${value}`
    }),
  ]
  return (
    <section className="settings-preview" aria-label={t('preview')}>
      <div className="settings-preview-tab">
        {text('basic.favicon') === '' ? null : <img src={text('basic.favicon')} alt="" />}
        <span>
          {t('previewPage')} - {text('seo.title') || name}
        </span>
      </div>
      <div className="settings-preview-bar">
        {text('basic.logoImgDark') === '' ? name : <img src={text('basic.logoImgDark')} alt={name} />}
      </div>
      <div className="settings-preview-light">
        {text('basic.logoImgLight') === '' ? name : <img src={text('basic.logoImgLight')} alt={name} />}
      </div>
      <div className="settings-preview-foot">
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have no identity
          <p key={i}>{line.filter((part) => part !== '').join(' · ')}</p>
        ))}
      </div>
    </section>
  )
}
