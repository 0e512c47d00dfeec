import { expect, it } from 'vitest'
import { fitSize } from './qr-reader.ts'

it.each([
  [{ width: 1920, height: 1080 }, 720, { width: 720, height: 405 }],
  [{ width: 1080, height: 1920 }, 720, { width: 405, height: 720 }],
  [{ width: 640, height: 480 }, 720, { width: 640, height: 480 }],
  [{ width: 0, height: 0 }, 720, { width: 0, height: 0 }],
])('reduces %j to at most %d pixels as %j', (size, maxSize, fitted) => {
  expect(fitSize(size, maxSize)).toEqual(fitted)
})
