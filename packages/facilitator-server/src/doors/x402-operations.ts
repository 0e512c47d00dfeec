import { InsufficientBalance } from '@mintmark/envelope'
import { payments } from '@mintmark/facilitator'
import { facilitatorOperation } from '@mintmark/transport/operation'
import type * as v from 'valibot'

// These are for stock x402 software, which brings its own client: they are not part of the client package.

export const supported = facilitatorOperation({
  id: 'x402.supported',
  method: 'GET',
  path: '/x402/supported',
  source: 'added',
  data: payments.supported.data as v.GenericSchema<unknown, Awaited<ReturnType<typeof payments.supported>>>,
})

const paymentBody = payments.settle.body ?? {}

export const verify = facilitatorOperation({
  id: 'x402.verify',
  method: 'POST',
  path: '/x402/verify',
  source: 'added',
  effect: 'read',
  body: paymentBody,
  openBody: true,
  data: payments.verify.data as v.GenericSchema<unknown, Awaited<ReturnType<typeof payments.verify>>>,
  errors: [InsufficientBalance],
})

export const settle = facilitatorOperation({
  id: 'x402.settle',
  method: 'POST',
  path: '/x402/settle',
  source: 'added',
  body: paymentBody,
  openBody: true,
  data: payments.settle.data as v.GenericSchema<
    unknown,
    NonNullable<Awaited<ReturnType<typeof payments.settle>>>
  >,
  errors: [InsufficientBalance],
})
