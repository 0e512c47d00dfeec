import { inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import * as here from './errors.ts'

const details = { operation: 'things.get' }
const classes = [
  here.Unauthorized,
  here.Forbidden,
  here.NotFound,
  here.Conflict,
  here.InsufficientBalance,
  here.RateLimited,
  here.Refused,
  here.Server,
  here.Timeout,
  here.Network,
  here.InvalidInput,
]

describe('an error', () => {
  it.each(classes.map((Class) => [Class.kind, Class] as const))(
    '%s tells its kind by class and by word',
    (kind, Class) => {
      const error = new Class('things.get: no', details)
      expect(error).toBeInstanceOf(Error)
      expect(error).toBeInstanceOf(here.MintmarkError)
      expect([error.kind, error.name, String(error)]).toEqual([kind, kind, `${kind}: things.get: no`])
      expect(here.isMintmarkError(error)).toBe(true)
    },
  )

  it('may be called again, later, only where nothing has to be changed first', () => {
    const retryable = classes.filter((Class) => new Class('', details).retryable).map(({ kind }) => kind)
    expect(retryable).toEqual(['RateLimited', 'Server', 'Timeout', 'Network'])
  })

  it('has the details it was given, and no others', () => {
    const error = new here.NotFound('no', { ...details, status: 404, code: undefined, cause: 'why' })
    expect(error.cause).toBe('why')
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      operation: 'things.get',
      status: 404,
      kind: 'NotFound',
      retryable: false,
    })
    expect('code' in error).toBe(false)
    expect('cause' in new here.NotFound('no', details)).toBe(false)
  })

  it('cannot be changed by those who pass it on', () => {
    const error = new here.NotFound('no', details)
    expect(() => Object.assign(error, { operation: 'other' })).toThrow(TypeError)
  })

  it('of an input has issues, if only none', () => {
    const issues = [{ path: 'name', message: 'Required' }]
    expect(new here.InvalidInput('no', { ...details, issues }).issues).toEqual(issues)
    expect(new here.InvalidInput('no', details).issues).toEqual([])
  })

  it('of an unknown outcome tells what is needed to find out', () => {
    const more = { sentAt: 5, idempotencyKey: 'k', transaction: '0x1', retryAfter: 3 }
    expect(new here.UnknownOutcome('?', { ...details, ...more })).toMatchObject(more)
    expect('transaction' in new here.UnknownOutcome('?', { ...details, sentAt: 5 })).toBe(false)
  })

  it('of an unexpected answer carries the data, and does not print it', () => {
    const error = new here.UnexpectedResponse('odd', {
      ...details,
      field: 'data.name',
      received: { name: 'somebody’s name' },
      accepted: true,
    })
    expect(error.received).toEqual({ name: 'somebody’s name' })
    expect(JSON.stringify(error) + inspect(error)).not.toContain('somebody')
  })
})

describe('telling our errors', () => {
  it.each([undefined, null, 'NotFound', { kind: 'NotFound' }, new Error('no')])('%s is none', (value) => {
    expect(here.isMintmarkError(value)).toBe(false)
  })

  it('works between two copies of the package', async () => {
    vi.resetModules()
    const other = await import('./errors.ts')
    const error = new other.NotFound('no', details)
    expect(error).not.toBeInstanceOf(here.MintmarkError)
    expect(here.isMintmarkError(error) && error.kind).toBe('NotFound')
  })
})
