import { MEDIA_FULL, media, type UploadedPicture } from '@mintmark/cards'
import type { InputOf } from '@mintmark/operation'
import { HttpError, type Refuse, type Route, refusal, withPreparation } from '@mintmark/server-kit'
import { type GatewayContext, implementWithLimits } from '../../http/context.ts'
import { createImageQueue } from '../../http/image-queue.ts'
import { toRecord } from '../../http/record-mapping.ts'
import type { MediaPorts } from './media-ports.ts'
import { abandonMedia, commitMedia, type MediaRow, reserveMedia } from './media-store.ts'
import { mediaUrl } from './media-url.ts'
import { MAX_FILE_BYTES, PictureError, type PreparedPicture, preparePicture } from './prepare-picture.ts'

const MAX_CONTENT_BYTES = 4 * Math.ceil(MAX_FILE_BYTES / 3)
/** The content and the JSON around it. */
const MAX_BODY_BYTES = MAX_CONTENT_BYTES + 1024 * 1024
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** A picture takes a processor for up to a second and up to 400 MB. Each project waits for its own. */
const enterQueue = createImageQueue({ places: 2, placesOfCaller: 1, waiting: 100, waitingOfCaller: 10 })
const MAX_WAIT_MS = 20_000

type Input = InputOf<typeof media.upload>
type Calling = GatewayContext & MediaPorts & Refuse

const limits = { content: { bytes: MAX_CONTENT_BYTES } }

const uploadRoutes = implementWithLimits<MediaPorts>(limits)(media, {
  upload: withPreparation<Input, Calling, Promise<UploadedPicture>, MediaRow>(
    async ({ content }, context) => await storePicture(await readPicture(content, context), context),
    async (_, { tenant, publicUrl }, written) => {
      const row = await tenant.transaction((trx) => commitMedia(trx, written))
      if (row === undefined)
        throw new HttpError(503, 'The upload took too long. Repeat it', { retryAfter: 1 })
      return toUploadedPicture(row, publicUrl)
    },
  ),
})

export const mediaRoutes: readonly Route<GatewayContext & MediaPorts>[] = uploadRoutes.map((route) => ({
  ...route,
  maxBodyBytes: MAX_BODY_BYTES,
}))

async function readPicture(content: string, { tenant, invalid }: Calling): Promise<PreparedPicture> {
  if (content.length % 4 !== 0 || !BASE64.test(content)) return invalid('content', 'Expected base64')
  const release = await enterQueue(String(tenant.project), AbortSignal.timeout(MAX_WAIT_MS))
  if (release === undefined)
    throw new HttpError(503, 'Too many pictures are being uploaded. Retry later', { retryAfter: 1 })
  try {
    return await preparePicture(Buffer.from(content, 'base64'))
  } catch (error) {
    if (error instanceof PictureError) return invalid('content', error.message)
    throw error
  } finally {
    release()
  }
}

/** Stores a picture unless it is stored. No transaction waits for the storage. */
async function storePicture(
  picture: PreparedPicture,
  { tenant, media: settings }: Calling,
): Promise<MediaRow> {
  const { storage, bytesPerProject } = settings
  const row = await tenant.transaction((trx) => reserveMedia(trx, picture, bytesPerProject))
  if (row === 'full') throw refusal(MEDIA_FULL)
  if (row.status === 'STORED') return row
  try {
    await storage.write(row.object, picture.bytes)
  } catch (error) {
    await abandonMedia(tenant, row)
    throw error
  }
  return row
}

function toUploadedPicture(row: MediaRow, publicUrl: string): UploadedPicture {
  return toRecord(media.UploadedPicture, row, { url: mediaUrl(publicUrl, row.project_id, row.hash) })
}
