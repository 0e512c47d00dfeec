import { expect, it } from 'vitest'
import { toImageAddress, toLinkAddress } from './web-address.ts'

const refused = [
  '',
  'javascript:alert(1)',
  ' JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://a.example/1',
  'file:///etc/passwd',
  '//a.example/x.png',
  '/x.png',
  'https://user:password@a.example/',
]

it.each(refused)('loads no image from %j and links to nothing there', (text) => {
  expect(toImageAddress(text)).toBeUndefined()
  expect(toLinkAddress(text)).toBeUndefined()
})

it('loads images by https only, through the gateway', () => {
  const address = '/console/images?address=https%3A%2F%2Fa.example%2Fx.png%3Fsize%3D1%26v%3D2'
  expect(toImageAddress('https://a.example/x.png?size=1&v=2')).toBe(address)
  expect(toImageAddress('http://a.example/x.png')).toBeUndefined()
})

it('links to https and http', () => {
  expect(toLinkAddress('https://a.example/x')).toBe('https://a.example/x')
  expect(toLinkAddress('http://a.example/x')).toBe('http://a.example/x')
})
