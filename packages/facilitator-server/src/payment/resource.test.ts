import { expect, test } from 'vitest'
import { readResource } from './resource.ts'

const read = (paymentPayload: object, paymentRequirements: object = {}, x402Version = 2) =>
  readResource({ request: { x402Version, paymentPayload, paymentRequirements } })

test.each([
  ['https://api.shop.example/weather?city=Berlin&token=secret#now', 'https://api.shop.example/weather'],
  ['mcp://tool/weather', 'mcp://tool/weather'],
  ['https://user:password@shop.example/a\u0000b', 'https://shop.example/a%00b'],
  ['/weather', ''],
  [`https://shop.example/${'a'.repeat(1024)}`, ''],
  [7, ''],
])('the resource %j of a payment is stored as %j', (url, stored) => {
  expect(read({ resource: { url } })).toBe(stored)
})

test('the resource of a payment has the path of its route template, and of version 1 that of the requirements', () => {
  const resource = { url: 'https://api.shop.example/weather/berlin' }
  expect(read({ resource, extensions: { bazaar: { routeTemplate: '/weather/:city' } } })).toBe(
    'https://api.shop.example/weather/:city',
  )
  expect(read({ resource, extensions: { bazaar: { routeTemplate: '/../admin' } } })).toBe(resource.url)
  expect(read({}, { resource: resource.url }, 1)).toBe(resource.url)
  expect(read({})).toBe('')
})
