import { describe, expect, it } from 'vitest'
import { toOrigin } from './publishable-keys-section.tsx'

describe('an origin that a person enters', () => {
  it.each([
    ['https://shop.example', 'https://shop.example'],
    ['https://Shop.example/', 'https://shop.example'],
    ['https://shop.example:443/cart?item=7#top', 'https://shop.example'],
    ['http://localhost:5173/', 'http://localhost:5173'],
    ['https://münchen.example', 'https://xn--mnchen-3ya.example'],
  ])('%s becomes %s', (text, origin) => {
    expect(toOrigin(text)).toBe(origin)
  })

  it.each([
    'https://*.shop.example',
    'shop.example',
    'ftp://shop.example',
    'https://',
    'null',
    'javascript:alert(1)',
  ])('%s stays, so that the server explains what is wrong', (text) => {
    expect(toOrigin(text)).toBe(text)
  })
})
