/** `sys/common/enums`: every enumeration of the contract, under its constant's name in lower camel case. */
import * as common from '@tidegate/contract/enums'
import * as node from '@tidegate/contract/node/config'

const camel = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.every(isPlain)) ||
  (typeof value === 'object' && value !== null && value.constructor === Object && Object.values(value).every(isPlain))

/** Constants in capitals that hold lists or tables of plain values. */
const enumerationsOf = (module: Record<string, unknown>) =>
  Object.entries(module)
    .filter(([name, value]) => /^[A-Z][A-Z0-9_]*$/.test(name) && typeof value === 'object' && isPlain(value))
    .map(([name, value]) => [camel(name), value] as const)

export const enumerations = (): Record<string, unknown> =>
  Object.fromEntries([...enumerationsOf(common), ...enumerationsOf(node)])
