/** A part of the page that is fetched when it is first wanted. */
import { type ComponentType, useEffect, useState } from 'react'

/** undefined until it is here. `load` must stay the same function. */
export const useLazy = <Props>(
  load: () => Promise<ComponentType<Props>>,
  wanted: boolean,
): ComponentType<Props> | undefined => {
  const [Part, setPart] = useState<ComponentType<Props>>()
  useEffect(() => {
    if (!wanted || Part !== undefined) return
    let gone = false
    load().then(
      (part) => gone || setPart(() => part),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [load, wanted, Part])
  return Part
}
