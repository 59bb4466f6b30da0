/** A page that fails takes only itself down; a part of it that could not be fetched asks for a reload. */
import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isChunkError } from '../shared/chunk.ts'
import { ReloadNotice } from '../shared/ReloadNotice.tsx'

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
    if (error === null) return this.props.children
    if (isChunkError(error)) return <ReloadNotice />
    return <Broken error={error} onRetry={() => this.setState({ error: null })} />
  }
}
