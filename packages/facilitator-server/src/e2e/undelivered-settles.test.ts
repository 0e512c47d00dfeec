// Successes of which the caller received nothing.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { createLog, readEnvironment } from '@mintmark/server-kit'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { FaultPoint } from '../engine/settings/fault-points.ts'
import { signedBody } from '../engine/testing.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { type RunningFacilitator, startFacilitator } from '../server.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'

const chain = await testChain()
const payer = devAccount(1)
const facilitator = await testFacilitator({ chain, signerKeys: [devAccount(9).privateKey] })
/** Called at the steps of settles of the process below. */
let onFault: (point: FaultPoint) => void | Promise<void> = () => {}
const log: string[] = []
const process: RunningFacilitator = await startFacilitator(
  readEnvironment(facilitator.env),
  createLog('facilitator', 'info', { write: (line) => void log.push(line) }),
  { configuration: testConfiguration, faultPoint: (point) => onFault(point) },
)
afterEach(async () => {
  onFault = () => {}
  expect((await checkLedger(facilitator.db)).problems).toEqual([])
})
afterAll(async () => {
  await process.close()
  await facilitator.close()
})

/** Sends a settle on a connection of its own. What the server responds is not read. */
async function sendSettle(path: string, body: object, { token }: TestAccount): Promise<Socket> {
  const { hostname, port } = new URL(process.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  const text = JSON.stringify(body)
  const headers = [`POST ${path} HTTP/1.1`, `host: ${hostname}`, `authorization: Bearer ${token}`]
  headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`)
  socket.write(`${headers.join('\r\n')}\r\n\r\n${text}`)
  return socket
}

/** Repeats a settle, and reads whether it delivers the success. */
async function isDelivered(path: string, body: object, account: TestAccount): Promise<boolean> {
  const response = await facilitator.post(path, body, account.token)
  if (path === '/settle') return response.status === 200
  return ((await response.json()) as { success: boolean }).success
}

const countEnded = () =>
  log.filter((line) => line.includes('settle"') && line.includes('"msg":"call"')).length

/** Settles, and ends the connection at a step of the settle. Resolves when the call has ended. */
async function settleAndLeave(
  path: string,
  leaveAt: FaultPoint,
  leave: (socket: Socket) => void,
): Promise<{ account: TestAccount; body: object }> {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const ended = countEnded()
  const sent = Promise.withResolvers<Socket>()
  onFault = async (point) => {
    if (point !== leaveAt) return
    const socket = await sent.promise
    leave(socket)
    await once(socket, 'close')
    // The server notices it in one of the next turns of the event loop.
    await facilitator.post('/verify', {}, account.token)
  }
  sent.resolve(await sendSettle(path, body, account))
  await expect.poll(countEnded).toBe(ended + 1)
  return { account, body }
}

const PATHS = ['/settle', '/x402/settle']
const TIMES: readonly [string, FaultPoint][] = [
  ['while the payment is executed', 'after-upstream'],
  ['after the success was stored and before it was written', 'after-ending-commit'],
]
const WAYS: readonly [string, (socket: Socket) => void][] = [
  ['closes the connection', (socket) => socket.destroy()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
]
const cases = PATHS.flatMap((path) =>
  TIMES.flatMap(([time, point]) => WAYS.map(([way, leave]) => [path, way, time, point, leave] as const)),
)

test.each(cases)(
  'a success of %s whose caller %s %s is delivered once, to the next call',
  async (path, _way, _time, point, leave) => {
    const { account, body } = await settleAndLeave(path, point, leave)
    await expect.poll(() => isDelivered(path, body, account)).toBe(true)
    expect(await isDelivered(path, body, account)).toBe(false)
    expect(await facilitator.available(account)).toBe(99n * settlePrice)
  },
)

test.each(PATHS)(
  'a success of %s that was written stays delivered, although its caller did not read it',
  async (path) => {
    const account = await facilitator.account()
    const body = await signedBody({ account: payer })
    const ended = countEnded()
    const socket = await sendSettle(path, body, account)
    await expect.poll(countEnded).toBe(ended + 1)
    await once(socket.resume(), 'data')
    socket.resetAndDestroy()
    await once(socket, 'close')
    for (let repeat = 0; repeat < 3; repeat += 1) expect(await isDelivered(path, body, account)).toBe(false)
  },
)

test('a repeat that waits receives the success whose first caller hung up', async () => {
  const patient = await startFacilitator(
    readEnvironment({ ...facilitator.env, REPEAT_TIMEOUT_MS: '600000' }),
    createLog('facilitator', 'silent'),
    { configuration: testConfiguration },
  )
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  const sent = Promise.withResolvers<Socket>()
  let repeat: Promise<Response> | undefined
  onFault = async (point) => {
    if (point !== 'after-upstream') return
    const socket = await sent.promise
    socket.destroy()
    await once(socket, 'close')
    repeat = fetch(`${patient.url}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
      body: JSON.stringify(body),
    })
  }
  sent.resolve(await sendSettle('/settle', body, account))
  await expect.poll(() => repeat).toBeDefined()
  expect((await repeat)?.status).toBe(200)
  await patient.close()
})
