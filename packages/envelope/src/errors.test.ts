import { inspect } from 'node:util'
import { expect, it, vi } from 'vitest'
import * as here from './errors.ts'

const details = { operation: 'things.get' }
const classes = [
  here.UnauthorizedError,
  here.ForbiddenError,
  here.NotFoundError,
  here.ConflictError,
  here.InsufficientBalanceError,
  here.RateLimitedError,
  here.RefusedError,
  here.ServerError,
  here.TimeoutError,
  here.NetworkError,
  here.InvalidInputError,
]

it.each(classes.map((Class) => [Class.kind, Class] as const))(
  'the error %s has its kind and the name of its class',
  (kind, Class) => {
    const error = new Class('things.get: no', { ...details, issues: [] })
    expect(error).toBeInstanceOf(Error)
    expect(error).toBeInstanceOf(here.MintmarkError)
    expect([error.kind, error.name]).toEqual([kind, `${kind}Error`])
    expect(String(error)).toBe(`${kind}Error: things.get: no`)
    expect(here.isMintmarkError(error)).toBe(true)
  },
)

it('an error is retryable only where the same call can succeed without a change', () => {
  const retryable = classes
    .filter((Class) => new Class('', { ...details, issues: [] }).retryable)
    .map(({ kind }) => kind)
  expect(retryable).toEqual(['RateLimited', 'Server', 'Timeout', 'Network'])
})

it('an error has the details that it was created with, and no others', () => {
  const error = new here.NotFoundError('no', { ...details, status: 404, code: undefined, cause: 'why' })
  expect(error.cause).toBe('why')
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    operation: 'things.get',
    status: 404,
    kind: 'NotFound',
    retryable: false,
  })
  expect('code' in error).toBe(false)
  expect('cause' in new here.NotFoundError('no', details)).toBe(false)
})

it('an error has read-only fields', () => {
  const error = new here.NotFoundError('no', details)
  expect(() => Object.assign(error, { operation: 'other' })).toThrow(TypeError)
})

it('an error of an invalid input has the issues that it was created with', () => {
  const issues = [{ path: 'name', message: 'Required' }]
  expect(new here.InvalidInputError('no', { ...details, issues }).issues).toEqual(issues)
})

it('an error of an unknown outcome has the time, key and transaction of the call', () => {
  const more = { sentAt: 5, idempotencyKey: 'k', transaction: '0x1', retryAfter: 3 }
  expect(new here.UnknownOutcomeError('?', { ...details, ...more })).toMatchObject(more)
  expect('transaction' in new here.UnknownOutcomeError('?', { ...details, sentAt: 5 })).toBe(false)
})

it('an error of an unexpected response contains the data and does not print it', () => {
  const error = new here.UnexpectedResponseError('odd', {
    ...details,
    field: 'data.name',
    received: { name: 'a customer’s name' },
    accepted: true,
  })
  expect(error.received).toEqual({ name: 'a customer’s name' })
  expect(JSON.stringify(error) + inspect(error)).not.toContain('customer')
})

it.each([undefined, null, 'NotFound', { kind: 'NotFound' }, new Error('no')])(
  'isMintmarkError returns false for %s',
  (value) => {
    expect(here.isMintmarkError(value)).toBe(false)
  },
)

it('isMintmarkError recognizes errors of another copy of the package', async () => {
  vi.resetModules()
  const other = await import('./errors.ts')
  const error = new other.NotFoundError('no', details)
  expect(error).not.toBeInstanceOf(here.MintmarkError)
  expect(here.isMintmarkError(error) && error.kind).toBe('NotFound')
})
