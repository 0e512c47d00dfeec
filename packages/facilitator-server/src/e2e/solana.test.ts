// Sellers and payers as the npm packages of x402 make them, on Solana.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { testChain } from '@mintmark/devkit/chain/testing'
import { captureCommand } from '@mintmark/devkit/command-output'
import { solanaAccount, solanaUsdc, startSolanaChain } from '@mintmark/devkit/solana/start-solana'
import type { OperatorHealth } from '@mintmark/facilitator/operator'
import { createLog, readEnvironment, runCommandLine } from '@mintmark/server-kit'
import { decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import { paymentMiddleware } from '@x402/express'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme as PayerScheme } from '@x402/svm/exact/client'
import { ExactSvmScheme as SellerScheme } from '@x402/svm/exact/server'
import express from 'express'
import { expect, test } from 'vitest'
import { encodeBase58 } from '../chains/solana/base58.ts'
import { createFeePayer } from '../chains/solana/keys.ts'
import { facilitatorCommands } from '../commands/commands.ts'
import { letTimePass } from '../engine/testing-engine.ts'
import { checkLedger } from '../ledger/check/check.ts'
import { feePayerSeed } from '../schemes/solana/exact/testing-fixture.ts'
import { startFacilitator } from '../server.ts'
import { settlePrice, testFacilitator } from '../testing.ts'
import { testConfiguration } from '../testing-configuration.ts'
import { openFacilitatorClient, serveSeller } from './testing-sellers.ts'

const OPERATOR_TOKEN = 'a-token-of-the-operator-for-tests-1234'

/** The key of an account of the devkit, as in the settings. */
async function encodeKey(seed: Buffer, { keyPair }: Awaited<ReturnType<typeof solanaAccount>>) {
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', keyPair.publicKey))
  return encodeBase58(Buffer.concat([seed, publicKey]))
}

async function startEnvironment(stops: AsyncDisposableStack, { isSolanaOnly = false, env = {} } = {}) {
  const [evm, chain] = await Promise.all([testChain(), startSolanaChain(stops)])
  const [feePayer, payer, payTo] = await Promise.all([solanaAccount(0), solanaAccount(1), solanaAccount(2)])
  const { ledger, network } = chain
  ledger.setLamports(feePayer.address, 1_000_000_000n)
  await ledger.setTokens(solanaUsdc, payer.address, 5_000_000n)
  await ledger.setTokens(solanaUsdc, payTo.address, 0n)
  const facilitator = await testFacilitator({
    chain: evm,
    signerKeys: isSolanaOnly ? [] : [devAccount(9).privateKey],
    env: {
      CHAINS: [...(isSolanaOnly ? [] : [`84532=${evm.rpcUrl}`]), `${network}=${chain.rpcUrl}`].join(','),
      SOLANA_SIGNER_KEYS: await encodeKey(feePayerSeed(), feePayer),
      OPERATOR_TOKEN,
      ...env,
    },
  })
  stops.defer(() => facilitator.close())
  const account = await facilitator.account()
  const client = openFacilitatorClient(`${facilitator.url}/x402`, account.token)
  const routes: RoutesConfig = {
    '/report': {
      accepts: { scheme: 'exact', price: '$0.01', network, payTo: payTo.address },
      description: 'A report',
      mimeType: 'text/plain',
    },
  }
  const app = express()
  app.use(paymentMiddleware(routes, new x402ResourceServer(client).register(network, new SellerScheme())))
  app.get('/report', (_, response) => void response.send('the report'))
  const { url, stop } = await serveSeller(app)
  stops.defer(stop)
  const x402 = new x402Client().register('solana:*', new PayerScheme(payer, { rpcUrl: chain.rpcUrl }))
  const buy = () => wrapFetchWithPayment(fetch, x402)(`${url}/report`)
  return { chain, ledger, facilitator, account, client, payer, payTo, buy }
}

test('a payer or a recipient on Solana that the operator lists is refused, and pays nothing', async () => {
  await using stops = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'solana-'))
  stops.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'list')
  await writeFile(file, '# nobody')
  const { facilitator, ledger, payer, payTo, buy } = await startEnvironment(stops, {
    isSolanaOnly: true,
    env: { SCREENING_FILE: file },
  })
  for (const address of [payer.address, payTo.address]) {
    await writeFile(file, address)
    await facilitator.runJobs()
    expect((await buy()).status).toBe(402)
    expect(facilitator.log.join()).toContain(`"address":"${address}"`)
  }
  expect(await facilitator.settlements()).toEqual([])
  expect([...ledger.landed.keys()]).toEqual([])
  // Addresses of Solana depend on the case.
  await writeFile(
    file,
    payer.address.replace(/[a-hj-km-np-z]/, (letter) => letter.toUpperCase()),
  )
  await facilitator.runJobs()
  expect((await buy()).status).toBe(200)
})

test.each([
  ['beside another chain', false],
  ['alone', true],
])(
  'a stock seller and a stock payer settle on Solana %s, and the settle is charged',
  async (_, isSolanaOnly) => {
    await using stops = new AsyncDisposableStack()
    const { chain, ledger, facilitator, account, client, payer, payTo, buy } = await startEnvironment(stops, {
      isSolanaOnly,
    })
    const { kinds, signers } = await client.getSupported()
    const { address: feePayer } = createFeePayer(feePayerSeed())
    expect(kinds).toContainEqual({
      x402Version: 2,
      scheme: 'exact',
      network: chain.network,
      extra: { feePayer },
    })
    expect(signers['solana:*']).toEqual([feePayer])
    const before = await facilitator.available(account)

    const response = await buy()
    expect([response.status, await response.text()]).toEqual([200, 'the report'])
    const settled = decodePaymentResponseHeader(response.headers.get('PAYMENT-RESPONSE') ?? '')
    expect(settled).toMatchObject({ success: true, network: chain.network, payer: payer.address })
    expect([...ledger.landed.keys()]).toEqual([settled.transaction])
    expect(await ledger.getTokens(solanaUsdc, payTo.address)).toBe(10_000n)
    expect(await facilitator.available(account)).toBe(before - settlePrice)

    const listed = { network: chain.network, signer: feePayer, status: 'active' }
    const listSigners = async () => {
      const { out } = await captureCommand({ ...facilitator.env }, () =>
        runCommandLine({ program: 'mintmark-facilitator', version: '0' }, facilitatorCommands, [
          'signers',
          'list',
        ]),
      )
      return JSON.parse(out).at(-1)
    }
    const unfinished = await listSigners()
    expect(unfinished).toMatchObject(listed)
    expect(unfinished.sent + unfinished.mined).toBe(1)

    ledger.advance(40)
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    await letTimePass(facilitator.db)
    await facilitator.runJobs()
    const [settlement] = await facilitator.settlements()
    expect(settlement).toMatchObject({ state: 'settled', hold: 'captured', transaction: settled.transaction })
    expect(settlement?.final_at).not.toBeNull()
    expect(await listSigners()).toMatchObject({ ...listed, sent: 0, mined: 0 })
    expect((await checkLedger(facilitator.db)).problems).toEqual([])
  },
)

test('a stock seller on Solana does not work for a payer without tokens', async () => {
  await using stops = new AsyncDisposableStack()
  const { ledger, facilitator, payer, buy } = await startEnvironment(stops)
  await ledger.setTokens(solanaUsdc, payer.address, 1n)
  expect((await buy()).status).toBe(402)
  expect(ledger.sends.size).toBe(0)
  expect(await facilitator.settlements()).toEqual([])
})

test('the health of a facilitator says whether a fee payer is retired, and when its key can be removed', async () => {
  await using stops = new AsyncDisposableStack()
  const { ledger, facilitator, payer, buy } = await startEnvironment(stops, { isSolanaOnly: true })
  expect((await buy()).status).toBe(200)
  const { address: old } = createFeePayer(feePayerSeed())
  const { SOLANA_SIGNER_KEYS: oldKey = '' } = facilitator.env
  const next = Buffer.from(feePayerSeed())
  next.writeUInt32LE(1, 28)
  const newKey = await encodeKey(next, payer)
  const readFeePayers = async (changes: Record<string, string>) => {
    const log = createLog('facilitator', 'fatal')
    const running = await startFacilitator(readEnvironment({ ...facilitator.env, ...changes }), log, {
      configuration: testConfiguration,
    })
    try {
      const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` }
      const response = await fetch(`${running.url}/operator/v1/health`, { headers })
      const { solana = [] }: OperatorHealth = await response.json()
      return solana.flatMap(({ feePayers }) => feePayers)
    } finally {
      await running.close()
    }
  }
  const active = { address: payer.address, status: 'active', outstanding: 0, isRemovable: false }
  const both = { SOLANA_SIGNER_KEYS: `${oldKey},${newKey}`, RETIRED_SIGNERS: old }
  const retired = { address: old, balance: expect.any(String), status: 'retired' }
  expect(await readFeePayers(both)).toMatchObject([
    { ...retired, outstanding: 1, isRemovable: false },
    active,
  ])
  expect(await readFeePayers({ SOLANA_SIGNER_KEYS: newKey })).toEqual([
    expect.objectContaining(active),
    { address: old, isLow: false, status: 'missing', outstanding: 1, isRemovable: false },
  ])

  ledger.advance(40)
  await expect
    .poll(async () => {
      await letTimePass(facilitator.db)
      await facilitator.runJobs()
      return (await facilitator.settlements())[0]?.final_at
    })
    .toEqual(expect.any(Date))
  expect(await readFeePayers(both)).toMatchObject([{ ...retired, outstanding: 0, isRemovable: true }, active])
})
