import { Integer, record, type Schema, Text, Timestamp } from '@mintmark/envelope'
import { gatewayOperation, type InputOf } from '@mintmark/operation'
import * as v from 'valibot'
import { MEDIA_FULL } from './rules.ts'

const uploadedPicture = record({
  /** The size of the stored picture in bytes. It counts towards what the project may store. */
  bytes: Integer,
  /** When the picture was first uploaded. */
  createTime: Timestamp,
  /** The height in pixels. */
  height: Integer,
  /** The address of the picture, for every field that takes one. It does not change, and anybody can open it. */
  url: v.string(),
  /** The width in pixels. */
  width: Integer,
})
/** A picture that the gateway stores and serves. */
export interface UploadedPicture extends v.InferOutput<typeof uploadedPicture> {}
export const UploadedPicture: Schema<UploadedPicture> = uploadedPicture

/**
 * Uploads a picture and returns its address. PNG, JPEG, WebP and GIF are accepted, recognized by their content,
 * up to 5 MiB, 50 million pixels and 300 frames. The gateway stores a WebP of at most 2,048 pixels on each
 * side, upright and without metadata such as the place where it was taken. The same picture is stored once. A
 * picture that no record of the project names is deleted after a day. `MEDIA_FULL` if the project stores too
 * many bytes.
 *
 * @example
 * const { url } = await media.upload(gateway, { content: (await readFile('latte.jpg')).toString('base64') })
 * await promoCodeCards.update(gateway, { id: 7, logoUrl: url })
 */
export const upload = gatewayOperation({
  id: 'media.upload',
  method: 'POST',
  path: '/api/v1/media/upload',
  source: 'added',
  idempotent: true,
  scope: 'media:write',
  body: {
    /** The file in base64. */
    content: Text,
  },
  data: UploadedPicture,
  errors: [MEDIA_FULL],
})
export type UploadPictureInput = InputOf<typeof upload>
