/** Starts the console: theme, language, the site's public settings, routes. */
import './schemas.ts'
import { applyTheme } from '@tidegate/ui/tokens'
import '@tidegate/ui/ui.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../shared/i18n.ts'
import { modeOf, usePrefs } from '../shared/prefs.ts'
import { useSite } from '../shared/site-config.ts'
import { Routes, windowAddress } from './router.tsx'

const dark = window.matchMedia('(prefers-color-scheme: dark)')
const paint = () => {
  const { theme, accent } = usePrefs.getState()
  applyTheme(document.documentElement, modeOf(theme, dark.matches), accent)
  document.documentElement.style.background = ''
}
usePrefs.subscribe(paint)
dark.addEventListener('change', paint)
paint()
startI18n()
// The console works without it (default title, no badge); the shell reads it again.
useSite
  .getState()
  .read()
  .catch(() => undefined)

const root = document.getElementById('root')
if (root === null) throw new Error('no #root')
createRoot(root).render(
  <StrictMode>
    <Routes address={windowAddress()} />
  </StrictMode>,
)
