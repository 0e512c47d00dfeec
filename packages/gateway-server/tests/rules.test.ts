// The rules of all operations.
import { isRule } from '@mintmark/server-kit'
import { expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'

const rules = new Set(routes.flatMap(({ operation }) => operation.errors).filter(isRule))

it('every rule that an operation declares has a code, and a message that is a sentence', () => {
  for (const { code, message } of rules) {
    expect(String(code)).toMatch(/^\d{5}$/)
    expect(message).toMatch(/^[A-Z].{12,}[^.]$/)
  }
})

it('no two rules have the same code or the same reason', () => {
  const all = [...rules]
  expect(new Set(all.map(({ code }) => code)).size).toBe(all.length)
  expect(new Set(all.map(({ reason }) => reason)).size).toBe(all.length)
})
