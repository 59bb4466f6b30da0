import { create } from 'zustand'

/** Whether a change was refused because customers may only look for now. The next look at the installation says whether it lasts. */
export const useMaintenance = create<{ refused: boolean }>(() => ({ refused: false }))
