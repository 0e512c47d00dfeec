import { expect, it } from 'vitest'
import { findCardCode } from './card-code.ts'

const CODE = 'Zk3-_9x0aBcDeFgHiJkLmNoPqRs'

it.each([
  [`https://gateway.example.com/qr/7/${CODE}.svg`, CODE],
  [`http://localhost:4000/behind/a/path/qr/12/${CODE}.svg`, CODE],
  [`https://gateway.example.com/c/7/${CODE}`, undefined],
  ['https://cdn.example.com/pictures/summer.svg', undefined],
  ['https://cdn.example.com/qr/summer.svg', undefined],
  ['', undefined],
])('findCardCode finds in %j the code %j', (qrCodeUrl, code) => {
  expect(findCardCode({ qrCodeUrl })).toBe(code)
})
