import { crc32, deflateSync } from 'node:zlib'
import encodeQR from 'qr'

/** A picture of luma bytes, row by row. */
interface Picture {
  readonly width: number
  readonly height: number
  readonly luma: Uint8Array
}

const BACKGROUND = 200
const DARK = 20
const LIGHT = 235

/** Draws a QR code in the middle of a picture. Nothing but background without a content. */
export function drawPicture(content: string | undefined, { width = 640, height = 480 } = {}): Picture {
  const luma = new Uint8Array(width * height).fill(BACKGROUND)
  if (content === undefined) return { width, height, luma }
  const rows = encodeQR(content, 'raw', { border: 4 })
  const scale = Math.floor((height * 0.8) / rows.length)
  const left = Math.floor((width - rows.length * scale) / 2)
  const top = Math.floor((height - rows.length * scale) / 2)
  rows.forEach((row, y) => {
    row.forEach((isDark, x) => {
      for (let line = 0; line < scale; line += 1) {
        const start = (top + y * scale + line) * width + left + x * scale
        luma.fill(isDark ? DARK : LIGHT, start, start + scale)
      }
    })
  })
  return { width, height, luma }
}

/**
 * Creates a video of pictures in the format Y4M, which Chromium shows as the picture of its camera, again and
 * again.
 *
 * @param framesPerPicture How often each picture is repeated; there are ten frames per second.
 */
export function createVideo(pictures: readonly Picture[], framesPerPicture: number): Buffer {
  const [first] = pictures
  if (first === undefined) throw new Error('A video has at least one picture')
  const { width, height } = first
  // Both planes of color are gray.
  const chroma = Buffer.alloc((width / 2) * (height / 2) * 2, 128)
  const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)
  const frames = pictures.flatMap(({ luma }) =>
    Array.from({ length: framesPerPicture }, () =>
      Buffer.concat([Buffer.from('FRAME\n'), Buffer.from(luma), chroma]),
    ),
  )
  return Buffer.concat([header, ...frames])
}

/** Encodes a picture as PNG, in grays. */
export function encodePng({ width, height, luma }: Picture): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits per pixel, no color.
  header.writeUInt8(8, 8)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1)
    lines.set(luma.subarray(y * width, (y + 1) * width), y * (width + 1) + 1)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    toChunk('IHDR', header),
    toChunk('IDAT', deflateSync(lines)),
    toChunk('IEND', Buffer.alloc(0)),
  ])
}

function toChunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, checksum])
}
