import { expect, it } from 'vitest'
import { routes } from '../routes.ts'
import { ruleAnswers } from './rule-responses.ts'

it('has a message for each rule that an operation declares, and for no other rule', () => {
  const declared = routes
    .flatMap(({ operation }) => operation.errors)
    .filter((error) => typeof error === 'number')
  expect(Object.keys(ruleAnswers).map(Number)).toEqual([...new Set(declared)].sort((a, b) => a - b))
  for (const [code, { status, message }] of Object.entries(ruleAnswers)) {
    expect(status).toBe(Math.floor(Number(code) / 100))
    expect(message).toMatch(/^[A-Z].{12,}[^.]$/)
  }
})
