/** Leaves out menu entries whose feature is not sold, linked or installed. Only for the eye: the server refuses the operations by itself. */
import { CUSTOM_FLAGS, featuresOn, MODULE_OF_PATH, type PageFlags } from '@tidegate/contract/features'
import type { MenuItem } from '@tidegate/contract/operations/common'

const NOTHING: PageFlags = {
  rewrite: 0,
  force: 0,
  ai_waf: 0,
  dns_rewrite: null,
  otherSite: null,
  mode: { 176: 1, 179: 1, tw: 0, permissions: [] },
}
const custom: readonly string[] = CUSTOM_FLAGS

/**
 * `flags`: of the page config, null while it cannot be read: then nothing counts as sold, and every module as installed. Debug mode shows entries whose
 * custom flag counts 0, not those of modules that are not installed.
 */
export const offered = (menu: readonly MenuItem[], flags: PageFlags | null, debug: boolean): MenuItem[] => {
  const wants = ({ url, meta }: MenuItem): string[] => {
    const own = meta.custom === undefined || (debug && custom.includes(meta.custom)) ? [] : [meta.custom]
    const module = MODULE_OF_PATH[url.replace(/\/+$/, '')]
    return module === undefined ? own : [...own, module]
  }
  return menu
    .filter((item) => featuresOn(flags ?? NOTHING, wants(item)))
    .map((item) => ({ ...item, children: offered(item.children, flags, debug) }))
}
