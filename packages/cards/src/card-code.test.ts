import { expect, it } from 'vitest'
import { findCardCode, parseCardCode } from './card-code.ts'

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

it.each([
  CODE,
  `${CODE}/`,
  ` \uFEFF\u200B${CODE}\u00A0\n`,
  `https://gateway.example/c/7/${CODE}`,
  `https://gateway.example/c/7/${CODE}/`,
  `https://gateway.example/c/7/${CODE}//?from=print#top`,
  `HTTPS://GATEWAY.EXAMPLE:4000/C/7/${CODE}`,
  `Http://[::1]:4000/behind/C/12/${CODE}#top`,
  `gateway.example/c/7/${CODE}`,
  `localhost:4000/behind/a/path/c/7/${CODE}/`,
  `https%3A%2F%2Fgateway.example%2Fc%2F7%2F${CODE}%2F`,
  `https://gateway.example/c/7/${CODE.replace('_', '%5F').replace('Z', '%5a')}`,
  `https://gateway.example/qr/7/${CODE}.svg`,
  `https://gateway.example/QR/7/${CODE}.SVG/`,
])('parseCardCode reads the code in %j', (text) => {
  expect(parseCardCode(text)).toBe(CODE)
})

it.each([
  'https://shop.example/menu',
  `ftp://gateway.example/c/7/${CODE}`,
  `https://gateway.example/c/0/${CODE}`,
  `https://gateway.example/?next=/c/7/${CODE}`,
  'a card of 5%',
  '100%ZZ',
  '%E0%A4%A',
  '',
])('parseCardCode returns %j as it is', (text) => {
  expect(parseCardCode(text)).toBe(text)
})

it('parseCardCode does not change the case of the code, which matters', () => {
  expect(parseCardCode(`HTTPS://GATEWAY.EXAMPLE/C/7/${CODE.toUpperCase()}`)).toBe(CODE.toUpperCase())
})
