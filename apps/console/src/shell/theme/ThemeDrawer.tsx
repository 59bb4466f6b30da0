/** How the console looks on this device: layout, light or dark, colour, bars, buttons of the top bar. Each choice applies at once. */
import { ACCENTS, type Accent } from '@tidegate/ui/tokens'
import { Drawer, Segmented, Switch } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  HEADER_TOGGLES,
  type HeaderToggle,
  LAYOUTS,
  type Layout,
  THEMES,
  type Theme,
  usePrefs,
} from '../../shared/prefs.ts'
import './theme.css'

const Part = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section className="theme-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

interface ChoiceProps {
  name: string
  checked: boolean
  className: string
  onChoose: () => void
  label: string
  children: ReactNode
}

/** A picture to choose, a radio button underneath. */
const Choice = ({ name, checked, className, onChoose, label, children }: ChoiceProps) => (
  <label className={className} title={label}>
    <input type="radio" name={name} checked={checked} onChange={onChoose} aria-label={label} />
    {children}
  </label>
)

const LayoutPart = () => {
  const { t } = useTranslation('shell')
  const { layout, set } = usePrefs()
  const names: Record<Layout, string> = { ttb: t('layoutTtb'), ltr: t('layoutLtr') }
  return (
    <Part title={t('layout')}>
      <div className="theme-layouts" role="radiogroup" aria-label={t('layout')}>
        {LAYOUTS.map((one) => (
          <Choice
            key={one}
            name="layout"
            className="theme-layout"
            label={names[one]}
            checked={layout === one}
            onChoose={() => set({ layout: one })}
          >
            <span className={`theme-sketch theme-${one}`} aria-hidden="true">
              <i />
              <b />
            </span>
            <span aria-hidden="true">{names[one]}</span>
          </Choice>
        ))}
      </div>
    </Part>
  )
}

const ModePart = () => {
  const { t } = useTranslation('shell')
  const { theme, set } = usePrefs()
  const names: Record<Theme, string> = { light: t('light'), dark: t('dark'), system: t('system') }
  return (
    <Part title={t('mode')}>
      <Segmented<Theme>
        block
        className="theme-modes"
        aria-label={t('mode')}
        value={theme}
        options={THEMES.map((value) => ({ value, label: names[value] }))}
        onChange={(next) => set({ theme: next })}
      />
    </Part>
  )
}

const ColourPart = () => {
  const { t } = useTranslation('shell')
  const { accent, set } = usePrefs()
  const names: Record<Accent, string> = {
    blue: t('blue'),
    teal: t('teal'),
    green: t('green'),
    violet: t('violet'),
    rust: t('rust'),
    rose: t('rose'),
    slate: t('slate'),
  }
  return (
    <Part title={t('colour')}>
      <div className="theme-colours" role="radiogroup" aria-label={t('colour')}>
        {(Object.keys(ACCENTS) as Accent[]).map((one) => (
          <Choice
            key={one}
            name="accent"
            className="theme-colour"
            label={names[one]}
            checked={accent === one}
            onChoose={() => set({ accent: one })}
          >
            <i style={{ background: ACCENTS[one].fill }} aria-hidden="true" />
          </Choice>
        ))}
      </div>
    </Part>
  )
}

const Toggle = ({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) => (
  <div className="theme-toggle">
    <span>{label}</span>
    <Switch size="small" aria-label={label} checked={checked} onChange={onChange} />
  </div>
)

const BarsPart = () => {
  const { t } = useTranslation('shell')
  const { darkHeader, darkAside, set } = usePrefs()
  return (
    <Part title={t('bars')}>
      <Toggle label={t('darkHeader')} checked={darkHeader} onChange={(on) => set({ darkHeader: on })} />
      <Toggle label={t('darkAside')} checked={darkAside} onChange={(on) => set({ darkAside: on })} />
    </Part>
  )
}

const ButtonsPart = () => {
  const { t } = useTranslation('shell')
  const { header, set } = usePrefs()
  const names: Record<HeaderToggle, string> = {
    message: t('toggleMessage'),
    fullscreen: t('fullScreen'),
    lock: t('lock'),
    refresh: t('refresh'),
    i18n: t('toggleI18n'),
  }
  return (
    <Part title={t('headerButtons')}>
      {HEADER_TOGGLES.map((one) => (
        <Toggle
          key={one}
          label={names[one]}
          checked={header[one]}
          onChange={(on) => set({ header: { ...header, [one]: on } })}
        />
      ))}
    </Part>
  )
}

export const ThemeDrawer = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <Drawer open={open} onClose={onClose} size={320} title={t('themeSettings')} rootClassName="theme-drawer">
      <LayoutPart />
      <ModePart />
      <ColourPart />
      <BarsPart />
      <ButtonsPart />
    </Drawer>
  )
}
