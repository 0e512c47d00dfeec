import {
  address,
  createSolanaRpc,
  getBase64Codec,
  getBase64EncodedWireTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  signature as parseSignature,
  partiallySignTransaction,
} from '@solana/kit'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { expect, test } from 'vitest'
import { BLOCKHASH_LIFETIME } from './solana-ledger.ts'
import type { SolanaTestNode } from './start-solana.ts'
import { solanaAccount, solanaPyusd, solanaUsdc, startSolanaChain } from './start-solana.ts'
import { TOKEN_2022_PROGRAM, transferFee, transferHook } from './token-accounts.ts'

async function startFixture(stops: AsyncDisposableStack, asset = solanaUsdc) {
  const chain = await startSolanaChain(stops)
  const [feePayer, payer, payTo] = await Promise.all([solanaAccount(0), solanaAccount(1), solanaAccount(2)])
  chain.ledger.setLamports(feePayer.address, 1_000_000_000n)
  await chain.ledger.setTokens(asset, payer.address, 5_000_000n)
  await chain.ledger.setTokens(asset, payTo.address, 0n)
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network: chain.network,
    asset,
    amount: '10000',
    payTo: payTo.address,
    maxTimeoutSeconds: 60,
    extra: { feePayer: feePayer.address },
  }
  const client = new ExactSvmScheme(payer, { rpcUrl: chain.rpcUrl })
  const pay = async () => {
    const { payload } = await client.createPaymentPayload(2, requirements)
    return signAsFeePayer(feePayer, String(payload.transaction))
  }
  const { ledger } = chain
  const balance = () => ledger.getTokens(asset, payTo.address)
  const rpc = createSolanaRpc(chain.rpcUrl)
  const send = async () =>
    rpc.sendTransaction(await pay(), { encoding: 'base64', preflightCommitment: 'processed' }).send()
  return { chain, ledger, rpc, feePayer, payer, payTo, pay, send, balance }
}

async function signAsFeePayer({ keyPair }: KeyPairSigner, transaction: string) {
  const unsigned = getTransactionDecoder().decode(getBase64Codec().encode(transaction))
  return getBase64EncodedWireTransaction(await partiallySignTransaction([keyPair], unsigned))
}

async function readStatus({ rpcUrl }: SolanaTestNode, sent: string) {
  const options = { searchTransactionHistory: true }
  const { value } = await createSolanaRpc(rpcUrl)
    .getSignatureStatuses([parseSignature(sent)], options)
    .send()
  return value[0]?.confirmationStatus
}

test.each([
  ['USDC', solanaUsdc],
  ['a token of Token-2022', solanaPyusd],
])('the Solana test chain executes the transfer that a stock x402 client signs for %s', async (_, asset) => {
  await using stops = new AsyncDisposableStack()
  const { ledger, rpc, payer, feePayer, send, balance } = await startFixture(stops, asset)
  const sent = await send()
  expect(await balance()).toBe(10_000n)
  expect(await ledger.getTokens(asset, payer.address)).toBe(4_990_000n)
  expect((await rpc.getBalance(feePayer.address).send()).value).toBeLessThan(1_000_000_000n)
  const account = await ledger.findTokenAccount(asset, address(payer.address))
  expect((await rpc.getTokenAccountBalance(account).send()).value).toMatchObject({
    amount: '4990000',
    decimals: 6,
  })
  const found = await rpc
    .getTransaction(sent, { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 })
    .send()
  expect(found).toMatchObject({ slot: BigInt(ledger.slot), meta: { err: null } })
})

test('the Solana test chain holds a transaction until it lands, and confirms and finalizes it with later slots', async () => {
  await using stops = new AsyncDisposableStack()
  const { chain, ledger, send, balance } = await startFixture(stops)
  chain.view.confirmedLag = 2
  ledger.landing = 'held'
  const sent = await send()
  expect(await readStatus(chain, sent)).toBeUndefined()
  expect(await balance()).toBe(0n)
  expect(ledger.land(sent)?.error).toBeUndefined()
  expect(await balance()).toBe(10_000n)
  expect(await readStatus(chain, sent)).toBe('processed')
  ledger.advance(2)
  expect(await readStatus(chain, sent)).toBe('confirmed')
  ledger.advance(29)
  expect(await readStatus(chain, sent)).toBe('confirmed')
  ledger.advance(1)
  expect(await readStatus(chain, sent)).toBe('finalized')
})

test('the Solana test chain does not execute a transaction whose blockhash has expired', async () => {
  await using stops = new AsyncDisposableStack()
  const { ledger, rpc, pay, balance, chain } = await startFixture(stops)
  chain.view.finalizedLag = 0
  ledger.landing = 'held'
  const transaction = await pay()
  const send = () =>
    rpc.sendTransaction(transaction, { encoding: 'base64', preflightCommitment: 'processed' }).send()
  ledger.advance(BLOCKHASH_LIFETIME - 1)
  const sent = await send()
  ledger.advance(1)
  await expect(send()).rejects.toThrow()
  expect(ledger.land(sent)).toBeUndefined()
  expect(await balance()).toBe(0n)
  expect(await readStatus(chain, sent)).toBeUndefined()
})

test('the Solana test chain executes a transaction once, however often it is sent', async () => {
  await using stops = new AsyncDisposableStack()
  const { ledger, rpc, pay, balance } = await startFixture(stops)
  const transaction = await pay()
  const options = { encoding: 'base64', skipPreflight: true } as const
  const sent = await rpc.sendTransaction(transaction, options).send()
  expect(await rpc.sendTransaction(transaction, options).send()).toBe(sent)
  await expect(rpc.sendTransaction(transaction, { encoding: 'base64' }).send()).rejects.toThrow()
  expect(await balance()).toBe(10_000n)
  expect(ledger.sends.get(sent)).toBe(2)
})

test('a fork of the Solana test chain removes a transaction with its effects', async () => {
  await using stops = new AsyncDisposableStack()
  const { chain, ledger, send, balance, payer } = await startFixture(stops)
  await send()
  ledger.advance(2)
  const sent = await send()
  expect(await balance()).toBe(20_000n)
  const height = ledger.slot
  ledger.fork(1)
  expect(ledger.slot).toBe(height)
  expect(await balance()).toBe(10_000n)
  expect(await ledger.getTokens(solanaUsdc, payer.address)).toBe(4_990_000n)
  expect(await readStatus(chain, sent)).toBeUndefined()
})

test('nodes of the Solana test chain lag, forget transactions and lose what they receive', async () => {
  await using stops = new AsyncDisposableStack()
  const { chain, ledger, rpc, send, balance } = await startFixture(stops)
  const lagging = await chain.addNode()
  lagging.view.lag = 5
  const sent = await send()
  ledger.advance(40)
  expect(await readStatus(chain, sent)).toBe('finalized')
  expect(await readStatus(lagging, sent)).toBe('finalized')
  lagging.view.lag = 41
  expect(await readStatus(lagging, sent)).toBeUndefined()
  lagging.view.lag = 0
  lagging.view.firstAvailableSlot = ledger.slot
  expect(await readStatus(lagging, sent)).toBeUndefined()
  lagging.view.firstAvailableSlot = 0
  lagging.view.forgetsTransactions = true
  expect(await readStatus(lagging, sent)).toBeUndefined()
  chain.view.losesSends = true
  await send()
  expect(await balance()).toBe(10_000n)
  chain.view.failing.add('getBlockHeight')
  await expect(rpc.getBlockHeight().send()).rejects.toThrow('Internal')
})

test.each([
  ['transfer fee', transferFee(100, 1_000_000n)],
  ['transfer hook', transferHook(solanaUsdc)],
])(
  'the Solana test chain executes Token-2022: plain accounts of a mint with a %s cannot pay',
  async (_, extension) => {
    await using stops = new AsyncDisposableStack()
    const { ledger, send, balance } = await startFixture(stops, solanaPyusd)
    await send()
    ledger.setMint(solanaPyusd, { program: TOKEN_2022_PROGRAM, decimals: 6, extensions: [extension] })
    await expect(send()).rejects.toThrow('simulation failed')
    expect(await balance()).toBe(10_000n)
  },
)
