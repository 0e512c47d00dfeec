// Loads with the scanner, which works without a connection too.
import { decodeQR } from 'qr/decode.js'

/** Reads QR codes in pictures. */
export interface QrReader {
  /** Reads the text of a QR code; undefined if the picture has none. */
  read(picture: Picture): Promise<string | undefined>
}

export type Picture = HTMLVideoElement | ImageBitmap

/**
 * The longer side of a picture of the camera, in pixels. Codes on cards are readable in it, and phones read
 * ten of them per second.
 */
export const FRAME_SIZE = 720
/** The longer side of a picture from a file. The code can be a small part of it. */
export const FILE_SIZE = 1800

/** The part of the browser's own detector that is used here. It is not in all browsers. */
interface NativeDetector {
  detect(picture: Picture): Promise<readonly { readonly rawValue: string }[]>
}

interface NativeDetectorClass {
  new (options: { readonly formats: readonly string[] }): NativeDetector
  getSupportedFormats(): Promise<readonly string[]>
}

/**
 * Creates a reader: the browser's own, or one in JavaScript.
 *
 * @param maxSize The longer side in pixels to which the reader in JavaScript reduces a picture.
 */
export async function createQrReader(maxSize: number): Promise<QrReader> {
  const native = await findNativeReader()
  return native ?? createScriptReader(maxSize)
}

async function findNativeReader(): Promise<QrReader | undefined> {
  const { BarcodeDetector } = globalThis as { readonly BarcodeDetector?: NativeDetectorClass }
  if (BarcodeDetector === undefined) return undefined
  try {
    if (!(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return undefined
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    // Browsers without the service of the operating system have the class, and fail here.
    await detector.detect(await createImageBitmap(new ImageData(1, 1)))
    return { read: async (picture) => (await detector.detect(picture))[0]?.rawValue }
  } catch {
    return undefined
  }
}

function createScriptReader(maxSize: number): QrReader {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('The browser has no canvas')
  return {
    async read(picture) {
      const { width, height } = fitSize(getSize(picture), maxSize)
      if (width === 0 || height === 0) return undefined
      canvas.width = width
      canvas.height = height
      context.drawImage(picture, 0, 0, width, height)
      try {
        return decodeQR(context.getImageData(0, 0, width, height))
      } catch {
        // The decoder throws for every picture without a readable code.
        return undefined
      }
    },
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

function getSize(picture: Picture): Size {
  if (picture instanceof HTMLVideoElement) return { width: picture.videoWidth, height: picture.videoHeight }
  return { width: picture.width, height: picture.height }
}

/** Reduces a size, keeping its proportions, so that its longer side is at most `maxSize`. */
export function fitSize({ width, height }: Size, maxSize: number): Size {
  const factor = Math.min(1, maxSize / Math.max(width, height, 1))
  return { width: Math.round(width * factor), height: Math.round(height * factor) }
}
