import { readFileSync } from 'node:fs'
import { isMintmarkError } from '@mintmark/envelope'
import { expect, it } from 'vitest'
import { InvalidInputError, RateLimitedError, UnknownOutcomeError } from './errors.ts'

function advice(error: unknown): string {
  if (!isMintmarkError(error)) throw error
  switch (error.kind) {
    case 'InvalidInput':
      return `change ${error.issues.map(({ path }) => path).join(', ')}`
    case 'UnknownOutcome':
      return `look whether it was done, at ${error.sentAt} or later`
    default:
      return error.retryable ? `try again in ${error.retryAfter ?? 1} s` : error.message
  }
}

it('the example of the README does what it says', () => {
  const operation = 'things.create'
  const issues = [{ path: 'name', message: 'Required' }]
  expect(advice(new InvalidInputError('no', { operation, issues }))).toBe('change name')
  expect(advice(new RateLimitedError('no', { operation, retryAfter: 5 }))).toBe('try again in 5 s')
  expect(advice(new UnknownOutcomeError('?', { operation, sentAt: 5 }))).toBe(
    'look whether it was done, at 5 or later',
  )
})

it('the example of the README stands here, line by line', () => {
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const here = lines(readFileSync(new URL(import.meta.url), 'utf8'))
  const shown = [...readme.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => lines(code))
  expect(shown.length).toBeGreaterThan(5)
  expect(shown.filter((line) => line !== '' && !here.includes(line))).toEqual([])
})
