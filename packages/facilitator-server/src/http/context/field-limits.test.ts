import * as facilitator from '@mintmark/facilitator'
import type { OperationShape } from '@mintmark/operation'
import { listLimitedFields } from '@mintmark/server-kit'
import { expect, test } from 'vitest'
import * as x402 from '../payments/x402-operations.ts'
import { fieldLimits } from './field-limits.ts'

const groups = [
  facilitator.accounts,
  facilitator.accountTotals,
  facilitator.channelVouchers,
  facilitator.micropaymentOrders,
  facilitator.payerQuotas,
  facilitator.payments,
  facilitator.webhooks,
  x402,
]
const operations = groups.flatMap((group) =>
  Object.values<unknown>(group).filter((value): value is OperationShape => typeof value === 'function'),
)

test('declares a limit for every text, array and open object of every operation', () => {
  expect(operations.length).toBeGreaterThan(15)
  const unlimited = operations.flatMap((operation) =>
    listLimitedFields(operation, fieldLimits)
      .filter(({ declared }) => !declared)
      .map(({ path }) => `${operation.id}: ${path}`),
  )
  expect(unlimited).toEqual([])
})
