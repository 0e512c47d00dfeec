// Payments by Permit2 from wallets without native tokens, whose approval we sponsor. Sellers and payers are
// the npm packages of x402.
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { plainTokenAbi } from '@mintmark/devkit/chain/artifacts/abi'
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import { ExactEvmScheme as ExactPayer } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactSeller } from '@x402/evm/exact/server'
import { UptoEvmScheme as UptoPayer } from '@x402/evm/upto/client'
import { UptoEvmScheme as UptoSeller } from '@x402/evm/upto/server'
import { paymentMiddleware } from '@x402/express'
import { declareErc20ApprovalGasSponsoringExtension } from '@x402/extensions'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import express from 'express'
import { sql } from 'kysely'
import { maxUint256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { deployContract } from '../schemes/agreement/testing-payers.ts'
import { settlePrice, type TestAccount, testFacilitator } from '../testing.ts'
import { openFacilitatorClient, type ServedSeller, serveSeller } from './testing-sellers.ts'

const NETWORK = 'eip155:84532'
const chain = await testChain()
const sellersWallet = '0x00000000000000000000000000000000005E11e3'
const asset = await deployContract(chain, plainToken.bytecode as `0x${string}`)
const options = { chain, signerKeys: [devAccount(9).privateKey] }
const facilitator = await testFacilitator({
  ...options,
  env: {
    ALLOWED_ASSETS: `84532=${asset}`,
    APPROVAL_GRANT_WEI: '84532=1000000000000000',
  },
})
const unsponsored = await testFacilitator({ ...options, env: { ALLOWED_ASSETS: `84532=${asset}` } })
const sellers: ServedSeller[] = []
afterAll(async () => {
  for (const seller of sellers) seller.stop()
  await Promise.all([facilitator.close(), unsponsored.close()])
})

const price = { amount: '10000', asset, extra: { assetTransferMethod: 'permit2' } }
const terms = { network: NETWORK, payTo: sellersWallet, price } as const
const extensions = declareErc20ApprovalGasSponsoringExtension()
const routes: RoutesConfig = {
  '/exact': { accepts: { scheme: 'exact', ...terms }, extensions },
  '/upto': { accepts: { scheme: 'upto', ...terms }, extensions },
}

async function openSeller(url: string, { token }: Pick<TestAccount, 'token'>): Promise<string> {
  const client = openFacilitatorClient(`${url}/x402`, token)
  const app = express()
  const server = new x402ResourceServer(client)
    .register(NETWORK, new ExactSeller())
    .register(NETWORK, new UptoSeller())
  app.use(paymentMiddleware(routes, server))
  app.get('/exact', (_, response) => void response.send('the report'))
  app.get('/upto', (_, response) => {
    response.set('Settlement-Overrides', JSON.stringify({ amount: '7000' })).send('the report')
  })
  const served = await serveSeller(app)
  sellers.push(served)
  return served.url
}

/** A new wallet with tokens and without native tokens, and the stock client that pays with it. */
async function openPayer() {
  const account = privateKeyToAccount(generatePrivateKey())
  const mint = {
    address: asset,
    abi: plainTokenAbi,
    functionName: 'mint',
    args: [account.address, 1_000_000n],
  } as const
  await chain.confirm(chain.as(1).writeContract(mint))
  const rpc = { rpcUrl: chain.rpcUrl }
  const client = new x402Client()
    .setSpendControls({ allowedAssets: true })
    .register('eip155:*', new ExactPayer(account, rpc))
    .register('eip155:*', new UptoPayer(account, rpc))
  const read = (functionName: 'balanceOf' | 'allowance', args: readonly `0x${string}`[]) =>
    chain.client.readContract({
      address: asset,
      abi: plainTokenAbi,
      functionName,
      args,
    } as never) as Promise<bigint>
  return {
    account,
    fetch: wrapFetchWithPayment(fetch, client),
    allowance: () => read('allowance', [account.address, permit2Address]),
    balance: () => read('balanceOf', [account.address]),
  }
}

const readReason = (response: Response) =>
  response.headers.has('payment-response')
    ? decodePaymentResponseHeader(response.headers.get('payment-response') ?? '').errorReason
    : decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error

let account: TestAccount
let payer: Awaited<ReturnType<typeof openPayer>>
beforeEach(async () => {
  account = await facilitator.account()
  payer = await openPayer()
})
const listGrants = async () => {
  const { rows } = await sql<{ payer: string; amount: string; succeeded: boolean | null }>`
    select g.payer, g.amount, t.succeeded from facilitator.approval_grants g
    join facilitator.transactions t on t.id = g.transaction_id where account_id = ${account.id}`.execute(
    facilitator.db,
  )
  return rows
}

it.each(['exact', 'upto'])(
  'gives a wallet the gas of its approval and settles its payment by %s',
  async (scheme) => {
    const seller = await openSeller(facilitator.url, account)
    const response = await payer.fetch(`${seller}/${scheme}`)
    expect([response.status, readReason(response)]).toEqual([200, undefined])
    expect(await response.text()).toBe('the report')
    expect(await payer.balance()).toBe(scheme === 'exact' ? 990_000n : 993_000n)
    expect(await payer.allowance()).toBe(maxUint256 - (scheme === 'exact' ? 10_000n : 7_000n))
    expect(await listGrants()).toMatchObject([
      { payer: payer.account.address.toLowerCase(), succeeded: true },
    ])
    expect(await facilitator.available(account)).toBe(99n * settlePrice)
    // The next payment needs neither.
    expect((await payer.fetch(`${seller}/${scheme}`)).status).toBe(200)
    expect(await listGrants()).toHaveLength(1)
  },
)

it('asks the payer to approve Permit2 where approvals are not sponsored', async () => {
  const seller = await openSeller(unsponsored.url, await unsponsored.account())
  const response = await payer.fetch(`${seller}/exact`)
  expect([response.status, readReason(response)]).toEqual([412, 'permit2_allowance_required'])
})
