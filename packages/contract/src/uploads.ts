/** Uploads: what may be put where, with the limits of the specification's section 5. */

export const IMAGE_TYPES = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/x-icon',
} as const
export type ImageType = keyof typeof IMAGE_TYPES

interface PurposeRow {
  /** Bytes. */
  max: number
  types: readonly ImageType[]
  /** Permission that the uploader must hold; null: whoever is logged in. */
  permission: string | null
}

const PICTURES = ['png', 'jpg', 'gif', 'webp'] as const

export const UPLOAD_PURPOSES = {
  logo: { max: 100 * 1024, types: PICTURES, permission: 'system:website:save' },
  favicon: { max: 50 * 1024, types: ['ico', 'png'], permission: 'system:website:save' },
  message: { max: 500 * 1024, types: PICTURES, permission: 'account:message:save' },
  workOrder: { max: 1024 * 1024, types: PICTURES, permission: null },
} as const satisfies Record<string, PurposeRow>
export type UploadPurpose = keyof typeof UPLOAD_PURPOSES
export const PURPOSES = Object.keys(UPLOAD_PURPOSES) as [UploadPurpose, ...UploadPurpose[]]

/** Pictures of one work-order message. */
export const MAX_WORK_ORDER_IMAGES = 9
/** Logos are shown in this box, pixels. */
export const LOGO_BOX = { width: 150, height: 50 } as const
export const MAX_UPLOAD_BYTES = Math.max(...Object.values(UPLOAD_PURPOSES).map((p) => p.max))
/** Files that one account may upload in 24 hours. */
export const UPLOADS_PER_DAY = 200

/** 1024 a step, as the limits are written. */
export const sizeText = (bytes: number): string =>
  bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${Math.round(bytes / 1024)} KB`

const begins = (bytes: Uint8Array, at: number, text: string) =>
  [...text].every((c, i) => bytes[at + i] === c.charCodeAt(0))

/** What the bytes are, whatever the name says; null for everything else, SVG and HTML among it. */
export const imageTypeOf = (bytes: Uint8Array): ImageType | null => {
  if (begins(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (begins(bytes, 0, '\xff\xd8\xff')) return 'jpg'
  if (begins(bytes, 0, 'GIF87a') || begins(bytes, 0, 'GIF89a')) return 'gif'
  if (begins(bytes, 0, 'RIFF') && begins(bytes, 8, 'WEBP')) return 'webp'
  return begins(bytes, 0, '\0\0\x01\0') && (bytes[4] ?? 0) > 0 ? 'ico' : null
}
