import { createSessionGateway } from '@mintmark/transport/browser'
import { expect, it } from 'vitest'
import type { Scan, ScannedCard } from './scan.ts'
import { verifyCard } from './verify-card.ts'

const scan: Scan = {
  projectId: 1,
  code: 'ticket\0',
  device: 'phone',
  store: '',
  verifier: 'kim@example.com',
  membershipAction: 'CHECK_IN',
  nonce: 'a',
  sequence: 1,
  scannedAt: 0,
  state: 'waiting',
  reason: '',
  usedCount: 0,
  answeredAt: 0,
}

const UNKNOWN = { state: 'refused', reason: 'unknown', usedCount: 0 }

/** Verifies the card of a scan at a gateway that responds in one way. */
async function verify(status: number, data: object, code = scan.code) {
  const gateway = createSessionGateway({
    baseUrl: 'https://gateway.example',
    projectId: 1,
    retries: 0,
    fetch: async () => Response.json({ code: status, msg: 'Refused', success: false, data }, { status }),
  })
  const signal = new AbortController().signal
  return await verifyCard(gateway, { ...scan, code }, async () => scan, signal)
}

it('refuses a code that the gateway cannot store, such as one with U+0000, instead of sending it forever', async () => {
  const issues = [{ path: 'qrCode', message: 'Contains U+0000' }]
  expect(await verify(400, { issues })).toEqual(UNKNOWN)
})

it('refuses a code that has no UTF-8', async () => {
  expect(await verify(404, {}, 'half of a pair: \ud83d')).toEqual(UNKNOWN)
})

it('refuses a code of no card', async () => {
  expect(await verify(404, {}, 'menu')).toEqual(UNKNOWN)
})

it.each([401, 403, 429, 500, 503])(
  'goes on sending a code to which the gateway responds %i',
  async (status) => {
    await expect(verify(status, {}, 'menu')).rejects.toThrow()
  },
)

it('sends a scan at the present name of its store if a manager has renamed it meanwhile', async () => {
  const createTime = '2026-01-01T00:00:00Z'
  const place = { address: '', code: '', status: 'OPEN', timeZone: 'UTC' }
  const stores = [{ ...place, id: 3, projectId: 1, name: 'Berlin Mitte', createTime, updateTime: createTime }]
  const sent: string[] = []
  const gateway = createSessionGateway({
    baseUrl: 'https://gateway.example',
    projectId: 1,
    retries: 0,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      if (request.method === 'GET')
        return Response.json({ code: 200, msg: 'ok', success: true, data: stores })
      const { store } = await request.json()
      sent.push(store)
      const issues = [{ path: 'store', message: 'No store has this name' }]
      return Response.json({ code: 400, msg: 'Refused', success: false, data: { issues } }, { status: 400 })
    },
  })
  const terms = { totalIssued: 1, startTime: '', endTime: '', stores: [], level: '' }
  const card: ScannedCard = { program: 'promoCodeCards', id: 1, name: 'Coffee', ...terms }
  const queued: Scan = { ...scan, card, store: 'Berlin', storeId: 3 }
  const { signal } = new AbortController()
  const answer = await verifyCard(gateway, queued, async () => queued, signal)
  expect(sent).toEqual(['Berlin', 'Berlin Mitte'])
  expect(answer).toMatchObject({ state: 'refused', reason: 'invalid' })
})
