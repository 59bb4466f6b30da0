/** Pictures for upload. */
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of one colour. `grey`: 0 to 255. */
export const png = (grey = 255, width = 40, height = 30): Buffer => {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc32(body), body.length + 4)
    return out
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const line = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width, grey)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([magic, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** The same, made so many bytes long by what stands behind its end. */
export const pngOf = (bytes: number): Buffer => {
  const image = png()
  return Buffer.concat([image, Buffer.alloc(bytes - image.length)])
}

/** As a person chooses it from their disk. */
export const chosen = (buffer: Buffer, name = 'a.png') => ({ name, mimeType: 'image/png', buffer })
