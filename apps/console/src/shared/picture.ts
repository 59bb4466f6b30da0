/** Sends a picture: its size is judged before it goes out, as the server will. */
import { fieldText } from '@tidegate/contract/errors'
import { sizeText, UPLOAD_PURPOSES, type UploadPurpose } from '@tidegate/contract/uploads'
import { callWithFile } from './api/call.ts'
import { ApiError, errorLine } from './api/error.ts'
import { currentLang } from './i18n.ts'

/** Its address here, or what is wrong with it in the person's language. */
export type Sent = { url: string } | { wrong: string }

export const sendPicture = async (purpose: UploadPurpose, file: File): Promise<Sent> => {
  const { max } = UPLOAD_PURPOSES[purpose]
  if (file.size > max) return { wrong: fieldText('image_size', currentLang(), { max: sizeText(max) }) }
  try {
    return { url: (await callWithFile('upload.save', { purpose }, file)).url }
  } catch (error) {
    const own = error instanceof ApiError ? error.failure.errors.find((e) => e.path === 'file')?.msg : undefined
    return { wrong: own ?? errorLine(error) }
  }
}
