import * as admin from '@mintmark/admin'
import * as cards from '@mintmark/cards'
import * as contracts from '@mintmark/contracts'
import * as envelope from '@mintmark/envelope'
import * as events from '@mintmark/events'
import * as facilitator from '@mintmark/facilitator/operator'
import * as market from '@mintmark/market'
import type { AnyOperation } from '@mintmark/operation'
import * as orders from '@mintmark/orders'
import { expect, it } from 'vitest'
import { authErrorTexts, errorNoticeTexts, errorTexts, reasonTexts } from '../texts/errors.ts'
import { AuthError } from './auth-error.ts'
import { describeError } from './describe-error.ts'

const online = { isOnline: true }
/** Operations whose refusals are shown in the words of the server, or that only shops and buyers call. */
const EXPLAINED_BY_SERVER = [
  'orders.preOrder',
  'orders.payOrder',
  'auctions.bid',
  'lazyMinting.randomNft',
  'lazyMinting.mintSign',
  'productCards.mintSign',
  'productCards.writeData',
  'verifications.reverse',
  'stores.create',
  'stores.update',
  'campaigns.create',
  'campaigns.update',
  'campaigns.issue',
  'campaigns.pause',
  'campaigns.resume',
]
const details = { operation: 'orders.get', requestId: 'req_1' }

it('an error of a call is explained by its kind, with the request id', () => {
  const error = new envelope.NotFoundError('orders.get: 404 Not found', details)
  expect(describeError(error, online)).toEqual({
    ...errorTexts.NotFound,
    requestId: 'req_1',
    isRetryable: false,
  })
})

it('an error of a call is explained by the rule that refused it', () => {
  const error = new envelope.RefusedError('no', { ...details, reason: 'LAST_OWNER' })
  expect(describeError(error, online)).toMatchObject(reasonTexts.LAST_OWNER ?? {})
})

it('an error of a call shows the message of the server for a rule that is not known', () => {
  const error = new envelope.RefusedError('orders.get: 409 The moon is full', {
    ...details,
    reason: 'MOON',
  })
  expect(describeError(error, online).title).toBe('The moon is full')
})

it.each([admin.DECISION_REFUSED, facilitator.DECISION_REFUSED])(
  'an error of a call says why a server refuses a decision: $reason',
  ({ reason }) => {
    const message = 'serverHealth.endSession: 409 No session waits for it'
    const error = new envelope.RefusedError(message, { ...details, reason })
    expect(describeError(error, online).advice).toBe('No session waits for it')
  },
)

it('an error of a call names the role that may not do something', () => {
  const error = new envelope.ForbiddenError('no', details)
  expect(describeError(error, { ...online, role: 'Staff' }).advice).toContain('Your role is Staff')
})

it('an error of a call names the seconds to wait after too many calls', () => {
  const error = new envelope.RateLimitedError('no', { ...details, retryAfter: 7 })
  expect(describeError(error, online).advice).toBe('Try again in 7 seconds.')
})

it('an error of a call is explained by the missing connection when the browser is offline', () => {
  const error = new envelope.NetworkError('no', details)
  expect(describeError(error, { isOnline: false })).toMatchObject(errorNoticeTexts.offline)
  expect(describeError(error, online)).toMatchObject(errorTexts.Network)
})

it('explains every rule that can refuse an operation which the console calls, unless the server explains it', () => {
  const operations = [admin, cards, contracts, events, market, orders]
    .flatMap((each): readonly object[] => Object.values(each))
    .flatMap((group): readonly unknown[] => Object.values(group))
    .filter((member): member is AnyOperation => member instanceof Function && 'errors' in member)
  expect(operations.length).toBeGreaterThan(150)
  const rules = operations
    .filter(({ id }) => !EXPLAINED_BY_SERVER.includes(id))
    .flatMap(({ errors }) => errors.flatMap((error) => ('reason' in error ? [error.reason] : [])))
  expect(new Set(rules).size).toBeGreaterThan(20)
  expect([...new Set(rules)].filter((reason) => !(reason in reasonTexts))).toEqual([])
})

it('an error of a call by a rule that the console does not know shows the message of the server', () => {
  const message = 'orders.preOrder: 409 Not enough stock for this quantity'
  const error = new envelope.RefusedError(message, { ...details, reason: 'OUT_OF_STOCK' })
  expect(describeError(error, online).title).toBe('Not enough stock for this quantity')
})

it('an error of the sign-in is explained by its code', () => {
  const error = new AuthError('Invalid', { code: 'INVALID_EMAIL_OR_PASSWORD', status: 401 })
  expect(describeError(error, online)).toMatchObject(authErrorTexts.INVALID_EMAIL_OR_PASSWORD ?? {})
})

it('an error of the sign-in shows the message of the server for a code that is not known', () => {
  const error = new AuthError('No such thing', { code: 'OTHER', status: 400 })
  expect(describeError(error, online).title).toBe('No such thing')
})

it('an error of the sign-in is explained by too many attempts, with the time to wait', () => {
  const error = new AuthError('', { code: '', status: 429, retryAfter: 30 })
  expect(describeError(error, online)).toMatchObject({
    advice: 'Try again in 30 seconds.',
    isRetryable: true,
  })
})

it('an error of the sign-in is explained by the connection when there was no response', () => {
  const error = new AuthError('', { code: '', status: 0 })
  expect(describeError(error, online)).toMatchObject(errorTexts.Network)
  expect(describeError(error, { isOnline: false })).toMatchObject(errorNoticeTexts.offline)
})

it('explains an unknown error without showing its message', () => {
  expect(describeError(new Error('secret'), online)).toMatchObject(errorNoticeTexts.unknown)
})
