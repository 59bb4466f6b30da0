/** A supplier of licenses for tests: a pair of keys of its own. */
import { generateKeyPairSync } from 'node:crypto'
import { signLicense } from '../modules/license/file.ts'

export interface Supplier {
  /** For TIDEGATE_LICENSE_KEYS. */
  key: string
  /** A file that this supplier signed; members given replace the usual ones. */
  license(more?: Record<string, unknown>): string
}

export const createSupplier = (): Supplier => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    license: (more = {}) =>
      signLicense(
        { id: 'T-1', holder: 'Harbour Ltd', supplier: 'Tide Supplies', issued: '2026-01-05', ...more },
        privateKey,
      ),
  }
}
