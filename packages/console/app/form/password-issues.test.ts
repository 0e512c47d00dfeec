import { expect, it } from 'vitest'
import { findPasswordIssues } from './use-new-password.tsx'

it('refuses a password of 11 characters, and one that is repeated differently', () => {
  expect(findPasswordIssues('a'.repeat(11), 'a'.repeat(11))).toHaveProperty('password')
  expect(findPasswordIssues('a'.repeat(12), 'b'.repeat(12))).toHaveProperty('repeated')
  expect(findPasswordIssues('a'.repeat(12), 'a'.repeat(12))).toEqual({})
})
