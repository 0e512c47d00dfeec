import { expect, it } from 'vitest'
import { readExampleInput } from './example-input.ts'

it('reads the input of an example, with constants that the example declares', () => {
  const code = `
    const owner = '0xaa'
    for await (const card of cards.list.items(gateway, { owner })) console.log(card)
    const card = await cards.create(gateway, { owner, name: 'A coffee', tags: ['a', owner], total: 1_000, open: true })`
  expect(readExampleInput(code, 'cards.create')).toEqual({
    owner: '0xaa',
    name: 'A coffee',
    tags: ['a', '0xaa'],
    total: 1000,
    open: true,
  })
})

it.each([
  ['a value that another part of a program has', 'await cards.create(gateway, { name: scanned })'],
  ['a value that is computed', 'await cards.create(gateway, { nonce: crypto.randomUUID() })'],
  ['a spread', 'await cards.create(gateway, { ...fields })'],
  ['no input', 'await cards.create(gateway)'],
  ['a call of another operation', "await cards.update(gateway, { name: 'A coffee' })"],
])('reads no input from an example with %s', (_, code) => {
  expect(readExampleInput(code, 'cards.create')).toBeUndefined()
})
