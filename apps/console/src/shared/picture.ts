/** Sends a picture: its size and what its bytes are is judged before it goes out, as the server will. */
import { fieldText } from '@tidegate/contract/errors'
import { imageTypeOf, sizeText, UPLOAD_PURPOSES, type UploadPurpose } from '@tidegate/contract/uploads'
import { callWithFile } from './api/call.ts'
import { ApiError, errorLine, isSilent } from './api/error.ts'
import { currentLang } from './i18n.ts'

/** Its address here, or what is wrong with it in the person's language; empty: it was called off. */
export type Sent = { url: string } | { wrong: string }

/** As many bytes as tell the type. */
const HEAD = 16

/** Why a file cannot be taken, in the person's language; '': it can. */
const faultOf = async (purpose: UploadPurpose, file: File): Promise<string> => {
  const { max, types } = UPLOAD_PURPOSES[purpose]
  const type = imageTypeOf(new Uint8Array(await file.slice(0, HEAD).arrayBuffer()))
  if (type === null || !(types as readonly string[]).includes(type))
    return fieldText('image_type', currentLang(), { types: types.join(', ').toUpperCase() })
  return file.size > max ? fieldText('image_size', currentLang(), { max: sizeText(max) }) : ''
}

export const sendPicture = async (purpose: UploadPurpose, file: File): Promise<Sent> => {
  const wrong = await faultOf(purpose, file)
  if (wrong !== '') return { wrong }
  try {
    return { url: (await callWithFile('upload.save', { purpose }, file)).url }
  } catch (error) {
    if (isSilent(error)) return { wrong: '' }
    const own = error instanceof ApiError ? error.failure.errors.find((e) => e.path === 'file')?.msg : undefined
    return { wrong: own ?? errorLine(error) }
  }
}
