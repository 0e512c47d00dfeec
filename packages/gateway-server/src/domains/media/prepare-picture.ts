import { createHash } from 'node:crypto'
import type { Metadata, Sharp, SharpOptions } from 'sharp'

/** The largest file that is accepted. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024
/** All frames together. A decoded picture takes up to four bytes for each. */
const MAX_PIXELS = 50_000_000
const MAX_FRAMES = 300
/** The longer side of a stored picture. */
const MAX_EDGE = 2048
const QUALITY = 82
const TIMEOUT_SECONDS = 20

/** A file that is not stored; the message says why. */
export class PictureError extends Error {
  override readonly name = 'PictureError'
}

/** A picture as it is stored: a WebP without metadata. */
export interface PreparedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The SHA-256 of the bytes. */
  readonly hash: string
  readonly width: number
  readonly height: number
}

type OpenPicture = (file: Uint8Array, options: SharpOptions) => Sharp

let opening: Promise<OpenPicture> | undefined

/** Loads the library, which takes a while, at the first upload. It decodes these formats and no other. */
async function loadSharp(): Promise<OpenPicture> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Nsgif'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  sharp.cache(false)
  sharp.concurrency(1)
  return (file, options) => sharp(file, options)
}

/**
 * Makes a picture of an uploaded file. Nothing of the file is kept but what the picture shows, so that a file
 * that is also a script or a page is neither.
 *
 * @throws PictureError
 */
export async function preparePicture(file: Uint8Array): Promise<PreparedPicture> {
  opening ??= loadSharp()
  const open = await opening
  // `checkPicture` limits the pixels before anything is decoded, and its message says what is wrong.
  const openFile = () => open(file, { animated: true, failOn: 'error', limitInputPixels: MAX_PIXELS })
  checkPicture(file, await readMetadata(open(file, { animated: true, limitInputPixels: false })))
  try {
    const { data, info } = await openFile()
      .timeout({ seconds: TIMEOUT_SECONDS })
      .autoOrient()
      .resize({ width: MAX_EDGE, height: MAX_EDGE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY })
      .toBuffer({ resolveWithObject: true })
    const bytes = new Uint8Array(data)
    if (bytes.length > MAX_FILE_BYTES) throw new PictureError('The picture is too large. Make it smaller')
    const hash = createHash('sha256').update(bytes).digest('hex')
    return { bytes, hash, width: info.width, height: info.pageHeight ?? info.height }
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw new PictureError('The picture is damaged or incomplete', { cause: error })
  }
}

async function readMetadata(picture: Sharp): Promise<Metadata> {
  try {
    return await picture.metadata()
  } catch (error) {
    throw new PictureError('Expected a PNG, JPEG, WebP or GIF picture', { cause: error })
  }
}

/** Checks what the header of a picture says. The height is that of all frames together. */
function checkPicture(file: Uint8Array, { format, width, height, pages = 1 }: Metadata): void {
  if (width * height > MAX_PIXELS)
    throw new PictureError(
      `Expected a picture of at most ${MAX_PIXELS / 1e6} million pixels, all frames together`,
    )
  if (pages > MAX_FRAMES) throw new PictureError(`Expected an animation of at most ${MAX_FRAMES} frames`)
  if (format === 'gif' && !endsLikeGif(file)) throw new PictureError('The picture is damaged or incomplete')
}

/** The decoder accepts an incomplete GIF. A complete one ends with a semicolon, and some have zeros after it. */
function endsLikeGif(file: Uint8Array): boolean {
  return file[file.findLastIndex((byte) => byte !== 0)] === 0x3b
}
