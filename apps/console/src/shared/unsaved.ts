/** Pages with changes that are not saved: whoever would close or leave one asks first. */
import { create } from 'zustand'

interface Store {
  /** Paths of pages. */
  paths: ReadonlySet<string>
  mark: (path: string, unsaved: boolean) => void
}

export const useUnsaved = create<Store>((set, get) => ({
  paths: new Set(),
  mark: (path, unsaved) => {
    if (get().paths.has(path) === unsaved) return
    const paths = new Set(get().paths)
    if (unsaved) paths.add(path)
    else paths.delete(path)
    set({ paths })
  },
}))
