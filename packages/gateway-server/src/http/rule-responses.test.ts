import { isRule } from '@mintmark/server-kit'
import { expect, it } from 'vitest'
import { routes } from '../main/routes.ts'
import { ruleResponses } from './rule-responses.ts'

it('each rule that an operation declares has a message, and no other rule has one', () => {
  const declared = routes.flatMap(({ operation }) => operation.errors).filter(isRule)
  const reasons = new Set(declared.map(({ reason }) => reason))
  expect(Object.keys(ruleResponses).toSorted()).toEqual([...reasons].toSorted())
  for (const { message } of Object.values(ruleResponses)) expect(message).toMatch(/^[A-Z].{12,}[^.]$/)
})
