/** A page that fails takes only itself down. */
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

const Broken = ({ error, onRetry }: { error: Error; onRetry: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <div className="tg-empty" role="alert">
      <p>{t('pageBroken')}</p>
      <code className="tg-mono tg-faint">{error.message}</code>
      <button type="button" className="tg-link-button" onClick={onRetry}>
        {t('retry')}
      </button>
    </div>
  )
}

export class PageBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }
  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }
  override render() {
    const { error } = this.state
    return error === null ? (
      this.props.children
    ) : (
      <Broken error={error} onRetry={() => this.setState({ error: null })} />
    )
  }
}
