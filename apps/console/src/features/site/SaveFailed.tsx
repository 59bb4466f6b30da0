/** Why a save was refused; with the way to where the account gets what is asked for. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

export const SaveFailed = ({ text, lacking }: { text: string; lacking: boolean }) => {
  const { t } = useTranslation('site')
  return (
    <Alert
      type={lacking ? 'warning' : 'error'}
      showIcon={lacking}
      title={text}
      className="shell-alert"
      {...(lacking ? { action: <Link to="/cdn/account/info">{t('toAccount')}</Link> } : {})}
    />
  )
}
