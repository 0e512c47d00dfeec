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
      return `check whether it took effect at ${new Date(error.sentAt).toISOString()} or later`
    default:
      return error.retryable ? `try again in ${error.retryAfter ?? 1} s` : error.message
  }
}

it('runs the example of the README', () => {
  const operation = 'things.create'
  const issues = [{ path: 'name', message: 'Required' }]
  expect(advice(new InvalidInputError('no', { operation, issues }))).toBe('change name')
  expect(advice(new RateLimitedError('no', { operation, retryAfter: 5 }))).toBe('try again in 5 s')
  expect(advice(new UnknownOutcomeError('?', { operation, sentAt: 5 }))).toBe(
    'check whether it took effect at 1970-01-01T00:00:00.005Z or later',
  )
})

it('contains every line of the example in the README', () => {
  const lines = (text: string) => text.split('\n').map((line) => line.trim())
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const ownLines = lines(readFileSync(new URL(import.meta.url), 'utf8'))
  const readmeLines = [...readme.matchAll(/```ts\n(.*?)```/gs)].flatMap(([, code = '']) => lines(code))
  expect(readmeLines.length).toBeGreaterThan(5)
  expect(readmeLines.filter((line) => line !== '' && !ownLines.includes(line))).toEqual([])
})
