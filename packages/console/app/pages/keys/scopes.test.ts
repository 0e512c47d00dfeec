import { expect, it } from 'vitest'
import { keyScopes, presetScopes } from './scopes.ts'

it('a preset of a key has only scopes that a key can have', () => {
  for (const scopes of Object.values(presetScopes))
    expect(keyScopes).toEqual(expect.arrayContaining([...scopes]))
})
