import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { testChain } from '@mintmark/devkit/chain/testing'
import { afterAll, expect, test } from 'vitest'
import { signedBody } from '../engine/testing.ts'
import { toTransferArguments } from '../engine/testing-execution.ts'
import { settlePrice, testFacilitator } from '../testing.ts'

const chain = await testChain()
const payer = devAccount(1)
const relayer = chain.as(9)
type Body = Awaited<ReturnType<typeof signedBody>>

/** An upstream with a configurable response. It cannot settle. */
const upstream = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  calls += 1
  await behave(response, JSON.parse(Buffer.concat(chunks).toString()) as Body)
})
let calls = 0
let behave: (response: ServerResponse, body: Body) => unknown = () => {}
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const address = upstream.address()
if (address === null || typeof address === 'string') throw new Error('the upstream has no port')

const facilitator = await testFacilitator({
  chain,
  env: { UPSTREAM_FACILITATOR_URL: `http://127.0.0.1:${address.port}`, UPSTREAM_TIMEOUT_MS: '300' },
})
afterAll(async () => {
  await facilitator.close()
  upstream.closeAllConnections()
  upstream.close()
})

/** Makes the payment on the chain, as an upstream would. */
async function submit(body: Body): Promise<string> {
  const hash = await relayer.writeContract({
    address: chain.token,
    abi: devUsdcAbi,
    functionName: 'transferWithAuthorization',
    args: toTransferArguments(body),
  })
  await chain.client.waitForTransactionReceipt({ hash })
  return hash
}

test('delivers a pending payment that was made once, to the first repeat, and charges it once', async () => {
  const account = await facilitator.account()
  const body = await signedBody({ account: payer })
  let transaction = ''
  behave = async (response, sent) => {
    transaction = await submit(sent)
    response.socket?.destroy()
  }
  expect((await facilitator.post('/settle', body, account.token)).status).toBe(503)
  const repeatSettle = async () => {
    const response = await facilitator.post('/settle', body, account.token)
    return { status: response.status, settlement: response.headers.get('payment-response') }
  }
  let found = await repeatSettle()
  while (found.status === 503) found = await repeatSettle()
  expect(found.status).toBe(200)
  expect(JSON.parse(Buffer.from(found.settlement ?? '', 'base64').toString())).toMatchObject({
    success: true,
    transaction,
  })
  expect((await repeatSettle()).status).toBe(400)
  expect(await facilitator.available(account)).toBe(99n * settlePrice)
})

test('a payment that verification refuses never reaches the upstream', async () => {
  const { token } = await facilitator.account()
  calls = 0
  const response = await facilitator.post(
    '/settle',
    await signedBody({ account: payer, name: 'Coin' }),
    token,
  )
  expect(response.status).toBe(400)
  expect(calls).toBe(0)
})
