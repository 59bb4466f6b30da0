/** Opens the palette, by the button or by its keys. Its code comes with the first opening. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { chunk } from '../../shared/chunk.ts'
import { useLocked } from '../lock/lock.ts'
import { createReader, goKeys, type Meant } from '../palette/keys.ts'
import type { Opened } from '../palette/PaletteHost.tsx'
import { useSession } from '../session.ts'
import { ToolButton } from './ToolButton.tsx'

const PaletteHost = lazy(() =>
  chunk(() => import('../palette/PaletteHost.tsx')).then((m) => ({ default: m.PaletteHost })),
)

/** Listens as long as the console is not locked. */
const useKeys = (onMeant: (meant: NonNullable<Meant>) => void) => {
  const latest = useRef(onMeant)
  latest.current = onMeant
  useEffect(() => {
    const read = createReader()
    const onKey = (event: KeyboardEvent) => {
      const meant = useLocked.getState().locked ? null : read(event)
      if (meant === null) return
      event.preventDefault()
      latest.current(meant)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

export const PaletteButton = () => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const [opened, setOpened] = useState<Opened>(null)
  /** How often something was opened; 0: its code is not wanted yet. */
  const [round, setRound] = useState(0)
  const open = (next: Opened) => {
    setRound(round + 1)
    setOpened(next)
  }
  useKeys((meant) => {
    if (meant.what === 'palette') open(opened === 'palette' ? null : 'palette')
    if (meant.what === 'sheet') open('sheet')
    if (meant.what !== 'go') return
    const to = goKeys(useSession.getState().menu).find(({ key }) => key === meant.key)
    if (to !== undefined) void navigate(to.item.url)
  })
  return (
    <>
      <ToolButton icon="search" name={t('palette')} onClick={() => open('palette')} />
      {round > 0 ? (
        <Suspense fallback={null}>
          <PaletteHost opened={opened} round={round} onOpened={setOpened} />
        </Suspense>
      ) : null}
    </>
  )
}
