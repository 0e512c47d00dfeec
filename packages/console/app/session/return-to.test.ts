import { expect, it } from 'vitest'
import { toReturnPath } from './return-to.ts'

it.each(['/p/1/orders', '/p/1/orders?page=2&q=a%20b', '/account'])(
  'returns to %s after the sign-in',
  (path) => {
    expect(toReturnPath(path)).toBe(path)
  },
)

it.each([
  undefined,
  '',
  'p/1',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  'javascript:alert(1)',
  '/sign-in?returnTo=/sign-in',
])('returns to the first page instead of %s', (path) => {
  expect(toReturnPath(path)).toBe('/')
})

it('never leaves the site, whatever control characters the address has', () => {
  for (const character of ['\t', '\n', '\r', '\0']) {
    expect(toReturnPath(`/${character}/evil.example/`)).not.toMatch(/^\/\//)
  }
})
