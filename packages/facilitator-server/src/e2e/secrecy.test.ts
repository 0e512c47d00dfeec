import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { openDatabase } from '@mintmark/server-kit'
import { afterAll, expect, test } from 'vitest'
import type { Tables } from '../database/tables.ts'
import { signedBody } from '../engine/testing.ts'
import { testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const signerKey = devAccount(9).privateKey
const rpcSecret = 'rpc-secret-41'
const facilitator = await testFacilitator({
  chain,
  signerKeys: [signerKey],
})
afterAll(() => facilitator.close())

test('no log line and no response contains a token, signature or key', async () => {
  const account = await facilitator.account()
  const broke = await facilitator.account({ settles: 0 })
  const { token } = account
  const bodies = [
    await signedBody({ account: payer }),
    await signedBody({ account: payer, value: 10n ** 15n }),
    await signedBody({ account: payer, name: 'Coin' }),
    await signedBody({ account: devAccount(2), from: payer.address }),
  ]
  const responses: string[] = []
  const send = async (path: string, body: unknown, key: string | undefined) => {
    const response = await facilitator.post(path, body, key)
    responses.push(JSON.stringify([...response.headers]) + (await response.text()))
  }
  for (const path of ['/settle', '/verify', '/x402/settle', '/x402/verify']) {
    for (const body of bodies) {
      await send(path, body, token)
      await send(path, JSON.stringify(body).slice(0, -1), token)
    }
    await send(path, bodies[0], `${token}x`)
    await send(path, bodies[0], broke.token)
  }
  const registered = await fetch(`${facilitator.url}/payer-quotas/${account.payer}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      limit: '1',
      validAfter: 0,
      validBefore: 4_000_000_000,
      nonce: '9',
      signature: `0x${'5a'.repeat(65)}`,
    }),
  })
  responses.push(await registered.text())

  const secrets = [
    token,
    broke.token,
    token.slice(9),
    signerKey.slice(2),
    '5a'.repeat(65),
    String(facilitator.env.SECRET_KEYS),
    ...bodies.map((body) => String(body.paymentPayload.payload.signature).slice(2)),
  ]
  const output = [...facilitator.log, ...responses].join('\n').toLowerCase()
  expect(facilitator.log.length).toBeGreaterThan(30)
  for (const secret of secrets) expect(output).not.toContain(secret.toLowerCase())
})

test('no log line and no response contains the URL of an unreachable node, which may contain a key', async () => {
  const rpcUrl = `http://127.0.0.1:9/${rpcSecret}`
  const cutOff = await testFacilitator({ chain: { ...chain, rpcUrl }, signerKeys: [signerKey] })
  try {
    const { token, payer: wallet } = await cutOff.account()
    const response = await cutOff.post('/settle', await signedBody({ account: payer }), token)
    expect(response.status).toBe(503)
    let output = await response.text()
    expect(JSON.parse(output)).toEqual({
      error: 'SettlementNotSent',
      message: 'The chain could not be read',
    })
    output += await (await fetch(`${cutOff.url}/ready`)).text()
    // A quota that no key signed may be a contract's, whose chain must be read.
    const quota = { limit: '1', validAfter: 0, validBefore: 4_000_000_000, nonce: '9', signature: '0x5a' }
    const registered = await fetch(`${cutOff.url}/payer-quotas/${wallet}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(quota),
    })
    expect(registered.status).toBe(500)
    output += await registered.text()
    output += await cutOff.metrics()
    for (const what of ['"chain"', 'deposits', 'gauge', 'payerQuotas.register']) {
      expect(cutOff.log.filter((line) => /"level":(?:40|50)/.test(line)).join()).toContain(what)
    }
    expect(cutOff.log.join() + output).not.toContain(rpcSecret)
  } finally {
    await cutOff.close()
  }
})

test('an unexpected failure responds with 500 without its message, which the log contains with the request id', async () => {
  const { token } = await facilitator.account()
  // As its owner: the server may not do this.
  const owner = openDatabase<Tables>({ url: facilitator.databaseUrl, max: 1 })
  const rename = (from: string, to: string) =>
    owner.system.schema.withSchema('facilitator').alterTable(from).renameTo(to).execute()
  await rename('settlements', 'settlements_away')
  try {
    const response = await facilitator.post('/settle', await signedBody({ account: payer }), token)
    expect(response.status).toBe(500)
    const body = (await response.json()) as { error: string; message: string }
    expect(body.error).toBe('ServerError')
    expect(body.message).not.toMatch(/settlements|relation/)
    const id = response.headers.get('x-request-id') ?? 'none'
    const line = facilitator.log.find((each) => each.includes(id) && each.includes('call failed')) ?? ''
    expect(line).toContain('settlements')
  } finally {
    await rename('settlements_away', 'settlements')
    await owner.close()
  }
})
