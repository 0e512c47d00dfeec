import { expect, it } from 'vitest'
import { createAddressFormat, NAME_FORMAT, TEXT_FORMAT } from './text-formats.ts'

it.each([
  'Café am Dom',
  'مقهى الميناء',
  'קפה \u200E(Tel Aviv)\u200E',
  'नमस्ते\u200D',
  '👩‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '❤️',
  ' A ',
  '?',
])('a name may be %j', (name) => {
  expect(NAME_FORMAT.findProblem(name)).toBeUndefined()
})

it.each([
  ' ',
  '\t',
  '\u00A0\u3000',
  '\u200B',
  '\u200D\uFEFF',
  '\u2060',
  '\u3164',
  '\u115F',
  '\u2800',
  '\u00AD',
  '\u0301',
])('a name is not blank, as %j is', (name) => {
  expect(NAME_FORMAT.findProblem(name)).toBe('Expected at least one visible character')
})

it.each(['a\nb', 'a\0b', 'a\u001B[31m', 'a\u0085b', 'a\u2028b', 'safe\u202Egnp.exe', '\u2066a', 'a\u2069'])(
  'a name does not contain what %j does',
  (name) => {
    expect(NAME_FORMAT.findProblem(name)).toMatch(/^Expected no /)
  },
)

it('a text has lines and tabs, but no other control characters and no changes of direction', () => {
  expect(TEXT_FORMAT.findProblem('One\r\nTwo\tthree\nשלום 👩‍👧')).toBeUndefined()
  for (const text of ['a\0', 'a\u001B[2J', 'a\u0007', 'a\u202Eb', 'a\u2067b'])
    expect(TEXT_FORMAT.findProblem(text), text).toMatch(/^Expected no /)
})

it('an address has one of the schemes, or none', () => {
  const { findProblem } = createAddressFormat(['https', 'ipfs'])
  for (const address of ['https://shop.example/a.png', 'IPFS://Qm/1', '/a.png', 'Qm123', 'a?b=c:d'])
    expect(findProblem(address), address).toBeUndefined()
  for (const address of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<b>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a/1',
    'https://shop.example/\u202Egnp.exe',
  ])
    expect(findProblem(address), address).toMatch(/^Expected /)
})
