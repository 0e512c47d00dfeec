// Payments on Solana, with two nodes that lag, forget and lose what they receive. Blocks are not abandoned
// here: the seeded crashes have forks.
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '@mintmark/devkit/random'
import {
  type SolanaTestNode,
  solanaAccount,
  solanaUsdc,
  startSolanaChain,
} from '@mintmark/devkit/solana/start-solana'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { encodeBase58 } from '../chains/solana/base58.ts'
import { computeMessageHash, decodeTransaction } from '../chains/solana/wire-transaction.ts'
import { feePayerSeed } from '../schemes/solana/exact/testing-fixture.ts'
import type { Load, PaymentOnChain } from './load.ts'
import { findPaymentProblems } from './transfer-problems.ts'

type SolanaChain = Awaited<ReturnType<typeof startSolanaChain>>

const PAYER_TOKENS = 1_000_000_000n
const FEE_PAYER_LAMPORTS = 1_000_000_000_000n
/** Longer than a blockhash is valid and a block is not final. */
const SLOTS_UNTIL_EXPIRED = 150 + 32 + 5
const STEP_MS = 40

/** The load of payments on a Solana chain, and the settings with which facilitators settle them. */
export interface SolanaLoad extends Load {
  readonly env: Readonly<Record<string, string>>
}

/** Starts a Solana chain with two nodes for the facilitators and one for the payer. */
export async function createSolanaLoad(
  random: Random,
  evmUrl: string,
  stops: AsyncDisposableStack,
): Promise<SolanaLoad> {
  const chain = await startSolanaChain(stops)
  const { ledger, network } = chain
  const nodes = [await chain.addNode(), await chain.addNode()]
  const [feePayer, payer, payTo] = await Promise.all([0, 1, 2].map(solanaAccount))
  if (feePayer === undefined || payer === undefined || payTo === undefined) throw new Error('No accounts')
  ledger.setLamports(feePayer.address, FEE_PAYER_LAMPORTS)
  await ledger.setTokens(solanaUsdc, payer.address, PAYER_TOKENS)
  await ledger.setTokens(solanaUsdc, payTo.address, 0n)
  const scheme = new ExactSvmScheme(payer, { rpcUrl: chain.rpcUrl })
  const publicKey = Buffer.from(await crypto.subtle.exportKey('raw', feePayer.keyPair.publicKey))
  const urls = nodes.map(({ rpcUrl }) => `${network}=${rpcUrl}`)
  return {
    env: {
      CHAINS: [`84532=${evmUrl}`, ...urls].join(','),
      SOLANA_SIGNER_KEYS: encodeBase58(Buffer.concat([feePayerSeed(), publicKey])),
      UPSTREAM_TIMEOUT_MS: '1500',
    },
    async sign({ accounts }) {
      const amount = BigInt(1 + random.integer(1000))
      const requirements = {
        scheme: 'exact',
        network,
        asset: solanaUsdc,
        amount: String(amount),
        payTo: payTo.address,
        maxTimeoutSeconds: 60,
        extra: { feePayer: feePayer.address },
      }
      const { payload } = await scheme.createPaymentPayload(2, requirements)
      const paymentPayload = { x402Version: 2, accepted: requirements, payload }
      const body = { x402Version: 2, paymentPayload, paymentRequirements: requirements }
      const nonce = readNonce(Buffer.from(String(payload.transaction), 'base64'))
      return { nonce, amount, bodies: [body], account: random.pick(accounts) }
    },
    getPaid: async () => listLanded(chain),
    disturb: (signal) => disturb(chain, nodes, random, signal),
    advance: () => ledger.advance(20),
    expire: () => ledger.advance(SLOTS_UNTIL_EXPIRED),
    async findProblems(fixture, facts) {
      const paid = listLanded(chain)
      const problems = findPaymentProblems(fixture, paid, facts)
      const due = fixture.payments.filter(({ nonce }) => paid.has(nonce))
      const total = due.reduce((sum, { amount }) => sum + amount, 0n)
      const received = await ledger.getTokens(solanaUsdc, payTo.address)
      return received === total ? problems : [...problems, `the seller has ${received} and was paid ${total}`]
    },
  }
}

function readNonce(bytes: Buffer): string {
  const transaction = decodeTransaction(bytes)
  if (transaction === undefined) throw new Error('The transaction cannot be decoded')
  return computeMessageHash(transaction)
}

function listLanded({ ledger }: SolanaChain): Map<string, PaymentOnChain> {
  const landed = [...ledger.landed.values()].filter(({ error }) => error === undefined)
  return new Map(
    landed.map(({ signature, bytes }) => [readNonce(Buffer.from(bytes)), { transaction: signature }]),
  )
}

/** Makes the nodes misbehave, and lets transactions land, wait or get lost, until the signal. */
async function disturb(
  { ledger }: SolanaChain,
  nodes: readonly SolanaTestNode[],
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  ledger.landing = random.chance(0.5) ? 'held' : 'immediate'
  // What every node shows is proof, so one of them always finds what it has.
  const forgetful = random.chance(0.5) ? random.pick(nodes) : undefined
  for (const node of nodes) {
    Object.assign(node.view, {
      losesSends: random.chance(0.3),
      forgetsTransactions: node === forgetful,
      lag: random.pick([0, 0, 5, 250]),
      statusLag: random.chance(0.25) ? 50 : 0,
    })
  }
  while (!signal.aborted) {
    for (const signature of ledger.pending) {
      const fate = random.pick(['land', 'drop', 'wait', 'wait'])
      if (fate === 'land') ledger.land(signature)
      if (fate === 'drop') ledger.drop(signature)
    }
    ledger.advance(random.pick([0, 1, 5]))
    await pause(STEP_MS)
  }
  ledger.landing = 'immediate'
  for (const { view } of nodes)
    Object.assign(view, { losesSends: false, forgetsTransactions: false, lag: 0, statusLag: 0 })
}
