import { solanaAccount, solanaUsdc, startSolanaChain } from '@mintmark/devkit/solana/start-solana'
import type { PaymentRequirements } from '@x402/core/types'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createFeePayer } from '../../../chains/solana/keys.ts'
import { openSvmChain, type SvmChain } from '../../../chains/solana/svm-nodes.ts'
import { testMoney } from '../../../engine/testing-engine.ts'
import { decodeSvm } from './decode-svm.ts'
import { createSvmReader } from './svm-reader.ts'
import { createSvmUpstream, type SvmFaultPoint } from './svm-upstream.ts'
import { createSvmVerifier } from './svm-verifier.ts'

/** The seed of the devkit's account 0. */
export function feePayerSeed(): Buffer {
  const seed = Buffer.alloc(32, 'mintmark test account')
  seed.writeUInt32LE(0, 28)
  return seed
}

/** A facilitator's money on a Solana chain with two nodes, and a stock client that pays. */
export async function startSvmFixture(stops: AsyncDisposableStack, asset = solanaUsdc) {
  const chain = await startSolanaChain(stops)
  const second = await chain.addNode()
  const money = await testMoney()
  const [payer, payTo] = await Promise.all([solanaAccount(1), solanaAccount(2)])
  const feePayer = createFeePayer(feePayerSeed())
  const { ledger, network } = chain
  ledger.setLamports((await solanaAccount(0)).address, 1_000_000_000n)
  await ledger.setTokens(asset, payer.address, 5_000_000n)
  await ledger.setTokens(asset, payTo.address, 0n)

  const svmChain = openSvmChain(network, [chain.rpcUrl, second.rpcUrl])
  const errors: unknown[] = []
  const faults: { at: SvmFaultPoint | undefined; onReach: () => void; resume: () => void } = {
    at: undefined,
    onReach() {},
    resume() {},
  }
  const common = {
    db: money.db,
    chains: [svmChain],
    feePayers: [feePayer],
    report: (error: unknown) => void errors.push(error),
  }
  const openUpstream = (chains: readonly SvmChain[]) =>
    createSvmUpstream({
      ...common,
      chains,
      // A call that never continues is what a killed process leaves behind.
      faultPoint(point) {
        if (point !== faults.at) return undefined
        faults.onReach()
        return new Promise((resolve) => {
          faults.resume = resolve
        })
      },
    })
  const upstream = openUpstream([svmChain])
  const openEngine = (timeout = 60_000) =>
    money.another({
      upstream,
      chainReader: createSvmReader([svmChain], money.db, common.report),
      verifier: createSvmVerifier({ ...common, allowedMints: new Map([[network, new Set([asset])]]) }),
      listSignedTransactions: (payment) => upstream.listSignedTransactions(payment),
      rebroadcast: (settlementId) => upstream.rebroadcast(settlementId),
      upstreamTimeout: timeout,
    })
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network,
    asset,
    amount: '10000',
    payTo: payTo.address,
    maxTimeoutSeconds: 60,
    extra: { feePayer: feePayer.address },
  }
  const client = new ExactSvmScheme(payer, { rpcUrl: chain.rpcUrl })
  const sign = async (terms = requirements) => {
    const { payload } = await client.createPaymentPayload(2, terms)
    return { x402Version: 2, accepted: terms, payload }
  }
  const served = { networks: new Set([network]), feePayers: new Set([feePayer.address]) }
  const decode = (body: object, terms: object = requirements) =>
    decodeSvm({ version: 2, paymentPayload: { ...body }, paymentRequirements: { ...terms } }, served)
  const pay = async () => {
    const decoded = decode(await sign())
    if (!decoded.ok) throw new Error(`${decoded.reason}: ${decoded.message}`)
    return decoded.payment
  }
  const received = () => ledger.getTokens(asset, payTo.address)
  return {
    chain,
    second,
    ledger,
    network,
    money,
    upstream,
    errors,
    faults,
    svmChain,
    feePayer,
    payer,
    payTo,
    requirements,
    sign,
    decode,
    pay,
    received,
    engine: openEngine(),
    openEngine,
    openUpstream,
  }
}
