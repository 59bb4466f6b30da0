/** A page of its own chunk; until it is here the window keeps still. */
import { type ComponentType, useEffect, useState } from 'react'
import { chunk } from '../shared/chunk.ts'
import { ReloadNotice } from '../shared/ReloadNotice.tsx'

export const LazyPage = ({ load }: { load: () => Promise<ComponentType> }) => {
  const [Page, setPage] = useState<ComponentType>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    let gone = false
    chunk(load).then(
      (found) => gone || setPage(() => found),
      () => gone || setFailed(true),
    )
    return () => {
      gone = true
    }
  }, [load])
  if (failed) return <ReloadNotice />
  return Page === undefined ? null : <Page />
}
