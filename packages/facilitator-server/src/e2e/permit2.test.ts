// Payments by Permit2, in the schemes exact and upto. Sellers and payers are the npm packages of x402.
import { randomBytes } from 'node:crypto'
import { devAccount } from '@mintmark/devkit/chain/accounts'
import { devUsdcAbi, permit2Abi, plainTokenAbi } from '@mintmark/devkit/chain/artifacts/abi'
import plainToken from '@mintmark/devkit/chain/artifacts/PlainToken.json' with { type: 'json' }
import { permit2Address } from '@mintmark/devkit/chain/chain'
import { testChain } from '@mintmark/devkit/chain/testing'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { type RoutesConfig, x402ResourceServer } from '@x402/core/server'
import type { PaymentPayload } from '@x402/core/types'
import { ExactEvmScheme as ExactPayer } from '@x402/evm/exact/client'
import { ExactEvmScheme as ExactSeller } from '@x402/evm/exact/server'
import { UptoEvmScheme as UptoPayer } from '@x402/evm/upto/client'
import { UptoEvmScheme as UptoSeller } from '@x402/evm/upto/server'
import { paymentMiddleware } from '@x402/express'
import { declareEip2612GasSponsoringExtension } from '@x402/extensions'
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from '@x402/fetch'
import express from 'express'
import { maxUint256, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signedPermit2Body } from '../engine/testing.ts'
import { deployContract } from '../schemes/agreement/testing-payers.ts'
import { settlePrice, type TestAccount, type TestFacilitator, testFacilitator } from '../testing.ts'
import { openFacilitatorClient, type ServedSeller, serveSeller } from './testing-sellers.ts'

const NETWORK = 'eip155:84532'
const chain = await testChain()
const sellersWallet = '0x00000000000000000000000000000000005E11e3'
const plainAsset = await deployContract(chain, plainToken.bytecode as `0x${string}`)
const facilitator = await testFacilitator({
  chain,
  signerKeys: [devAccount(9).privateKey, devAccount(8).privateKey],
  env: { ALLOWED_ASSETS: `84532=${plainAsset}` },
})

/** What the seller uses of an accepted maximum, in base units. */
let used = '10000'
const sellers: ServedSeller[] = []
afterAll(async () => {
  for (const seller of sellers) seller.stop()
  await facilitator.close()
})

const usdc = { amount: '10000', asset: chain.token }
const domain = { name: 'USDC', version: '2' }
const permit2 = { assetTransferMethod: 'permit2' }
const routes: RoutesConfig = {
  '/exact': {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo: sellersWallet,
      price: { ...usdc, extra: { ...domain, ...permit2 } },
    },
  },
  '/sponsored': {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo: sellersWallet,
      price: { ...usdc, extra: { ...domain, ...permit2 } },
    },
    extensions: declareEip2612GasSponsoringExtension(),
  },
  '/plain': {
    accepts: {
      scheme: 'exact',
      network: NETWORK,
      payTo: sellersWallet,
      price: { amount: '10000', asset: plainAsset, extra: permit2 },
    },
  },
  '/upto': {
    accepts: { scheme: 'upto', network: NETWORK, payTo: sellersWallet, price: '$0.01' },
  },
}

async function openSeller({ token }: Pick<TestAccount, 'token'>, url = facilitator.url): Promise<string> {
  const client = openFacilitatorClient(`${url}/x402`, token)
  const app = express()
  const server = new x402ResourceServer(client)
    .register(NETWORK, new ExactSeller())
    .register(NETWORK, new UptoSeller())
  app.use(paymentMiddleware(routes, server))
  app.get('/*path', (_, response) => {
    response.set('Settlement-Overrides', JSON.stringify({ amount: used })).send('the report')
  })
  const served = await serveSeller(app)
  sellers.push(served)
  return served.url
}

/** A new wallet with tokens, and the stock client that pays with it. */
async function openPayer() {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.client.setBalance({ address: account.address, value: parseEther('1') })
  for (const [address, abi] of [
    [chain.token, devUsdcAbi],
    [plainAsset, plainTokenAbi],
  ] as const) {
    const args = [account.address, 1_000_000n] as const
    await chain.confirm(chain.as(1).writeContract({ address, abi, functionName: 'mint', args }))
  }
  const rpc = { rpcUrl: chain.rpcUrl }
  // The stock client pays in unknown tokens only if its user allows them.
  const client = new x402Client()
    .setSpendControls({ allowedAssets: true })
    .register('eip155:*', new ExactPayer(account, rpc))
    .register('eip155:*', new UptoPayer(account, rpc))
  const http = new x402HTTPClient(client)
  return {
    account,
    fetch: wrapFetchWithPayment(fetch, client),
    async pay(url: string): Promise<PaymentPayload> {
      const challenge = await fetch(url)
      expect(challenge.status).toBe(402)
      return http.createPaymentPayload(http.getPaymentRequiredResponse((name) => challenge.headers.get(name)))
    },
    send: (url: string, payload: object) =>
      fetch(url, {
        headers: { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') },
      }),
    /** Approves Permit2, as a wallet does once for each token. */
    approve: (token: `0x${string}` = chain.token, amount = maxUint256) =>
      chain.confirm(
        chain.client.writeContract({
          account,
          address: token,
          abi: devUsdcAbi,
          functionName: 'approve',
          args: [permit2Address, amount],
        }),
      ),
    allowance: () =>
      chain.client.readContract({
        address: chain.token,
        abi: devUsdcAbi,
        functionName: 'allowance',
        args: [account.address, permit2Address],
      }),
    balance: (token: `0x${string}` = chain.token) =>
      chain.client.readContract({
        address: token,
        abi: devUsdcAbi,
        functionName: 'balanceOf',
        args: [account.address],
      }),
  }
}

const readSettled = (response: Response) =>
  decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
const readReason = (response: Response) =>
  response.headers.has('payment-response')
    ? readSettled(response).errorReason
    : decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error

const signers = [9, 8].map((place) => devAccount(place).address.toLowerCase())

/** Reads the signer that is offered for payments by upto. */
async function readOffer(url: string, token?: string): Promise<string> {
  const { kinds }: Awaited<ReturnType<ReturnType<typeof openFacilitatorClient>['getSupported']>> = await (
    await fetch(`${url}/x402/supported`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    })
  ).json()
  return String(kinds.find(({ scheme }) => scheme === 'upto')?.extra?.facilitatorAddress)
}

/** Opens accounts until one is offered the signer. */
async function openAccount({ url, account: open }: TestFacilitator, signer: string): Promise<TestAccount> {
  for (;;) {
    const opened = await open()
    if ((await readOffer(url, opened.token)) === signer) return opened
  }
}

const readSender = async (hash: string) =>
  (await chain.client.getTransaction({ hash: hash as `0x${string}` })).from.toLowerCase()
/** Reads for whom the payer has signed. */
function readFacilitator({ payload }: PaymentPayload): string {
  const { permit2Authorization } = payload as { permit2Authorization: { witness: { facilitator: string } } }
  return permit2Authorization.witness.facilitator.toLowerCase()
}

let account: TestAccount
let seller: string
let payer: Awaited<ReturnType<typeof openPayer>>
beforeEach(async () => {
  used = '10000'
  account = await facilitator.account()
  seller = await openSeller(account)
  payer = await openPayer()
})
const charges = async () => 100n - (await facilitator.available(account)) / settlePrice
const readOrder = async () => {
  const orders = await facilitator.settlements()
  return orders.findLast((order) => order.account_id === account.id)
}

describe('exact by Permit2', () => {
  it('tells a payer who has not approved Permit2 to do so, and is paid afterwards', async () => {
    const refused = await payer.fetch(`${seller}/exact`)
    expect(refused.status).toBe(412)
    expect(readReason(refused)).toBe('permit2_allowance_required')
    expect(await charges()).toBe(0n)
    await payer.approve()
    const response = await payer.fetch(`${seller}/exact`)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('the report')
    const settled = readSettled(response)
    expect(settled).toMatchObject({ success: true, payer: payer.account.address.toLowerCase() })
    expect(await payer.balance()).toBe(990_000n)
    expect(await charges()).toBe(1n)
    expect(await readOrder()).toMatchObject({
      state: 'settled',
      scheme: 'exact',
      domain: permit2Address.toLowerCase(),
      asset: chain.token.toLowerCase(),
      amount: '10000',
      transaction: settled.transaction,
    })
  })

  it('spends the allowance of Permit2 that covers just the payment', async () => {
    await payer.approve(chain.token, 10_000n)
    expect((await payer.fetch(`${seller}/exact`)).status).toBe(200)
    expect([await payer.balance(), await payer.allowance()]).toEqual([990_000n, 0n])
    const again = await payer.fetch(`${seller}/exact`)
    expect([again.status, readReason(again)]).toEqual([412, 'permit2_allowance_required'])
    expect(await charges()).toBe(1n)
  })

  it('approves and pays in one transaction with a signed approval (EIP-2612)', async () => {
    const response = await payer.fetch(`${seller}/sponsored`)
    expect(response.status).toBe(200)
    expect(await payer.balance()).toBe(990_000n)
    // The approval was for this payment.
    expect(await payer.allowance()).toBe(0n)
    expect(await charges()).toBe(1n)
  })

  it.each([
    ['whose approval covers one', '/exact'],
    ['who signs an approval for each (EIP-2612)', '/sponsored'],
  ])('sends one of 12 concurrent payments of a payer %s, and refuses the others', async (_, path) => {
    if (path === '/exact') await payer.approve(chain.token, 10_000n)
    const payloads = await Promise.all(Array.from({ length: 12 }, () => payer.pay(seller + path)))
    await chain.client.setAutomine(false)
    onTestFinished(() => chain.client.setAutomine(true))
    let refusals = 0
    const responses = payloads.map(async (payload) => {
      const response = await payer.send(seller + path, payload)
      if (response.status !== 200) refusals += 1
      return response
    })
    await vi.waitFor(() => expect(refusals).toBe(11), 20_000)
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    const settled = await Promise.all(responses)
    expect(settled.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const response of settled.filter(({ status }) => status !== 200))
      expect(readReason(response)).toBe('permit2_allowance_required')
    expect(await payer.balance()).toBe(990_000n)
    expect(await charges()).toBe(1n)
    // When it is mined, the allowance reflects it.
    await payer.approve()
    expect((await payer.fetch(`${seller}/exact`)).status).toBe(200)
  })

  it('refuses at verify what an allowance does not cover beside a payment in flight', async () => {
    await payer.approve(chain.token, 15_000n)
    const [first, second] = [await payer.pay(`${seller}/exact`), await payer.pay(`${seller}/exact`)]
    await chain.client.setAutomine(false)
    onTestFinished(() => chain.client.setAutomine(true))
    const sent = payer.send(`${seller}/exact`, first)
    await vi.waitFor(async () => expect((await readOrder())?.state).toBe('sent'), 10_000)
    const verify = async ({ accepted, ...payload }: PaymentPayload) => {
      const body = { x402Version: 2, paymentPayload: { accepted, ...payload }, paymentRequirements: accepted }
      return (await facilitator.post('/x402/verify', body, account.token)).json()
    }
    expect(await verify(second)).toMatchObject({ invalidReason: 'permit2_allowance_required' })
    await chain.client.setAutomine(true)
    await chain.client.mine({ blocks: 1 })
    expect((await sent).status).toBe(200)
    await payer.approve(chain.token, 10_000n)
    expect(await verify(second)).toMatchObject({ isValid: true })
  })

  it('pays in a token without any signed transfers', async () => {
    await payer.approve(plainAsset)
    const response = await payer.fetch(`${seller}/plain`)
    expect(response.status).toBe(200)
    expect(await payer.balance(plainAsset)).toBe(990_000n)
  })

  it('releases one resource for 10 concurrent presentations of a payment', async () => {
    await payer.approve()
    const payload = await payer.pay(`${seller}/exact`)
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => payer.send(`${seller}/exact`, payload)),
    )
    const texts = await Promise.all(responses.map((response) => response.text()))
    expect(texts.filter((text) => text === 'the report')).toHaveLength(1)
    expect(await payer.balance()).toBe(990_000n)
    expect(await charges()).toBe(1n)
  })

  it('refuses a payment whose nonce the payer has cancelled', async () => {
    await payer.approve()
    const payload = await payer.pay(`${seller}/exact`)
    const { permit2Authorization } = payload.payload as { permit2Authorization: { nonce: string } }
    const nonce = BigInt(permit2Authorization.nonce)
    await chain.confirm(
      chain.client.writeContract({
        account: payer.account,
        address: permit2Address,
        abi: permit2Abi,
        functionName: 'invalidateUnorderedNonces',
        args: [nonce >> 8n, 1n << (nonce & 0xffn)],
      }),
    )
    const response = await payer.send(`${seller}/exact`, payload)
    expect(response.status).toBe(402)
    expect(readReason(response)).toBe('permit2_invalid_nonce')
    expect(await charges()).toBe(0n)
  })

  it.each<[string, object, string]>([
    ['another amount', { permitted: { token: chain.token, amount: '9999' } }, 'permit2_amount_mismatch'],
    ['another token', { permitted: { token: plainAsset, amount: '10000' } }, 'permit2_token_mismatch'],
    ['another spender', { spender: sellersWallet }, 'invalid_permit2_spender'],
    [
      'another recipient',
      { witness: { to: plainAsset, validAfter: '0' } },
      'invalid_permit2_recipient_mismatch',
    ],
    [
      'a later validity',
      { witness: { to: sellersWallet, validAfter: '4000000000' } },
      'permit2_not_yet_valid',
    ],
    ['an expired deadline', { deadline: '1700000000' }, 'permit2_deadline_expired'],
    ['a nonce that was not signed', { nonce: '7' }, 'invalid_permit2_signature'],
  ])('refuses an authorization for %s', async (_, change, reason) => {
    await payer.approve()
    const payload = await payer.pay(`${seller}/exact`)
    const { permit2Authorization, signature } = payload.payload as {
      permit2Authorization: object
      signature: string
    }
    const changed = {
      ...payload,
      payload: { signature, permit2Authorization: { ...permit2Authorization, ...change } },
    }
    const response = await payer.send(`${seller}/exact`, changed)
    expect(response.status).toBe(402)
    expect(readReason(response)).toBe(reason)
    expect(await payer.balance()).toBe(1_000_000n)
  })
})

describe('upto without an unlimited approval', () => {
  it('asks the payer to approve the maximum, and spends only what was used', async () => {
    used = '2500'
    await payer.approve(chain.token, 9_999n)
    const refused = await payer.fetch(`${seller}/upto`)
    expect([refused.status, readReason(refused)]).toEqual([412, 'permit2_allowance_required'])
    await payer.approve(chain.token, 10_000n)
    expect((await payer.fetch(`${seller}/upto`)).status).toBe(200)
    expect([await payer.balance(), await payer.allowance()]).toEqual([997_500n, 7_500n])
    expect(await charges()).toBe(1n)
  })
})

describe('upto', () => {
  beforeEach(() => payer.approve())

  it('pays what was used, and not the signed maximum', async () => {
    used = '2500'
    const response = await payer.fetch(`${seller}/upto`)
    expect(response.status).toBe(200)
    expect(readSettled(response)).toMatchObject({ success: true, amount: '2500' })
    expect(await payer.balance()).toBe(997_500n)
    expect(await charges()).toBe(1n)
    expect(await readOrder()).toMatchObject({ state: 'settled', scheme: 'upto', amount: '2500' })
  })

  it('succeeds without a transaction and without a charge where nothing was used', async () => {
    used = '0'
    const response = await payer.fetch(`${seller}/upto`)
    expect(response.status).toBe(200)
    expect(readSettled(response)).toMatchObject({ success: true, transaction: '', amount: '0' })
    expect(await payer.balance()).toBe(1_000_000n)
    expect(await charges()).toBe(0n)
    expect(await readOrder()).toBeUndefined()
  })

  it('refuses to settle more than the signed maximum', async () => {
    used = '10001'
    const response = await payer.fetch(`${seller}/upto`)
    expect(response.status).toBe(402)
    expect(await response.text()).not.toContain('the report')
    expect(readSettled(response)).toMatchObject({
      success: false,
      errorReason: 'invalid_upto_evm_payload_settlement_exceeds_amount',
    })
    expect(await payer.balance()).toBe(1_000_000n)
  })

  it('settles a payment once, also for another amount', async () => {
    const payload = await payer.pay(`${seller}/upto`)
    used = '2500'
    expect((await payer.send(`${seller}/upto`, payload)).status).toBe(200)
    used = '100'
    const again = await payer.send(`${seller}/upto`, payload)
    expect(again.status).toBe(402)
    expect(readReason(again)).toBe('duplicate_settlement')
    expect(await payer.balance()).toBe(997_500n)
    expect(await charges()).toBe(1n)
  })

  it('distributes the accounts among the signers, and offers the sellers of an account always the same one', async () => {
    const offers = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { token } = await facilitator.account()
        return Promise.all([readOffer(facilitator.url, token), readOffer(facilitator.url, token)])
      }),
    )
    for (const [first, second] of offers) expect(second).toBe(first)
    expect(new Set(offers.flat())).toEqual(new Set(signers))
    expect(signers).toContain(await readOffer(facilitator.url))
  })

  it('sends each payment with the signer that its payer has signed for, whichever is busy', async () => {
    used = '1'
    const payments: { url: string; payload: PaymentPayload }[] = []
    for (const signer of signers) {
      const url = `${await openSeller(await openAccount(facilitator, signer))}/upto`
      for (let index = 0; index < 4; index += 1) payments.push({ url, payload: await payer.pay(url) })
    }
    const responses = await Promise.all(payments.map(({ url, payload }) => payer.send(url, payload)))
    expect(responses.map(({ status }) => status)).toEqual(payments.map(() => 200))
    const senders = await Promise.all(
      responses.map((response) => readSender(readSettled(response).transaction)),
    )
    expect(senders).toEqual(payments.map(({ payload }) => readFacilitator(payload)))
    expect(new Set(senders)).toEqual(new Set(signers))
  })

  it('verifies and settles a payment that was signed for a signer which the account is not offered', async () => {
    for (const signer of signers) {
      const body = await signedPermit2Body({
        account: payer.account,
        to: sellersWallet,
        value: 700n,
        maximum: 1_000n,
        nonce: `0x${randomBytes(32).toString('hex')}`,
        validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
        facilitator: signer,
      })
      const verified = await facilitator.post('/x402/verify', body, account.token)
      expect(await verified.json()).toMatchObject({ isValid: true })
      const settled = await (await facilitator.post('/x402/settle', body, account.token)).json()
      expect(settled).toMatchObject({ success: true })
      expect(await readSender(settled.transaction)).toBe(signer)
    }
    expect(await payer.balance()).toBe(998_600n)
  })

  it('refuses a payment until the signer that the payer has signed for has gas, although another one has', async () => {
    const first = generatePrivateKey()
    const { address } = privateKeyToAccount(first)
    const poor = await testFacilitator({ chain, signerKeys: [first, devAccount(8).privateKey] })
    onTestFinished(() => poor.close())
    // Only a signer with gas is offered.
    await chain.client.setBalance({ address, value: parseEther('1') })
    const poorAccount = await openAccount(poor, address.toLowerCase())
    const url = `${await openSeller(poorAccount, poor.url)}/upto`
    const payload = await payer.pay(url)
    expect(payload.accepted.extra).toMatchObject({ facilitatorAddress: address })
    await chain.client.setBalance({ address, value: 0n })
    const headers = { authorization: `Bearer ${poorAccount.token}` }
    const readSupported = async () => (await fetch(`${poor.url}/x402/supported`, { headers })).text()
    await expect.poll(readSupported).not.toContain('"upto"')
    const refused = await payer.send(url, payload)
    expect([refused.status, readReason(refused)]).toEqual([402, 'unexpected_verify_error'])
    expect([await payer.balance(), await poor.settlements()]).toEqual([1_000_000n, []])
    await chain.client.setBalance({ address, value: parseEther('1') })
    await expect.poll(async () => (await payer.send(url, payload)).status).toBe(200)
    expect(await payer.balance()).toBe(990_000n)
  })

  it('refuses a payment that was signed for another facilitator', async () => {
    const payload = await payer.pay(`${seller}/upto`)
    const { permit2Authorization, signature } = payload.payload as {
      permit2Authorization: { witness: object }
      signature: string
    }
    const witness = { ...permit2Authorization.witness, facilitator: sellersWallet }
    const changed = {
      ...payload,
      payload: { signature, permit2Authorization: { ...permit2Authorization, witness } },
    }
    const response = await payer.send(`${seller}/upto`, changed)
    expect(response.status).toBe(402)
    expect(readReason(response)).toBe('upto_facilitator_mismatch')
  })
})
