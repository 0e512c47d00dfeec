import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  type EventData,
  type GatewayEvent,
  InvalidWebhookError,
  signTestWebhook,
  verifyWebhook,
} from './index.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const event: GatewayEvent = {
  id: 'evt_1_7',
  type: 'verification.refused',
  subject: 'card/3',
  sequence: 7,
  time: '2026-01-01T00:00:00.000Z',
  projectId: 1,
  apiVersion: '1',
  data: {} as EventData['verification.refused'],
}

describe('verifyWebhook of the gateway', () => {
  it('returns the event that was signed, typed by its type', async () => {
    const verified = await verifyWebhook({ ...(await signTestWebhook(event, secret)), secrets: secret })
    expect(verified).toEqual(event)
    if (verified.type === 'order.paid') expectTypeOf(verified.data).toEqualTypeOf<EventData['order.paid']>()
  })

  it('rejects a body that was signed with another secret', async () => {
    const signed = await signTestWebhook(event, 'whsec_dGVzdA==')
    const verifying = verifyWebhook({ ...signed, secrets: secret })
    await expect(verifying).rejects.toThrow(InvalidWebhookError)
    await expect(verifying).rejects.toMatchObject({ reason: 'bad_signature' })
  })
})
