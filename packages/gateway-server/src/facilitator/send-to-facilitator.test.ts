import { expect, it } from 'vitest'
import { startStubFacilitator } from '../testing/stub-facilitator.ts'
import { sendToFacilitator } from './send-to-facilitator.ts'

it('ends a call of a facilitator that never responds, and says that its outcome is unknown', async () => {
  const stub = await startStubFacilitator()
  const call = {
    method: 'POST',
    path: '/operator/v1/keys',
    query: '',
    body: new TextEncoder().encode('{}'),
    actor: 'person:7',
    idempotencyKey: undefined,
  }
  const sent = sendToFacilitator({ url: stub.url, token: 'x'.repeat(32) }, call, 50)
  await expect(sent).rejects.toMatchObject({
    status: 504,
    reason: 'FacilitatorNoResponse',
    message: expect.stringContaining('A change may have been made'),
  })
  stub.close()
})
