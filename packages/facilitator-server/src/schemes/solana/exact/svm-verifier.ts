import { isDeepStrictEqual } from 'node:util'
import type { FeePayer } from '../../../chains/solana/keys.ts'
import { callAny, type SvmChain } from '../../../chains/solana/svm-nodes.ts'
import { encodeSigned } from '../../../chains/solana/wire-transaction.ts'
import type { PaymentVerifier, VerificationOutcome } from '../../../payment/payment.ts'
import { reasons } from '../../../payment/reasons.ts'
import { findMintProblem } from './mint.ts'
import type { SvmPayment } from './svm-scheme.ts'
import { svmReasons } from './transfer-rules.ts'

const SIGNATURE_BYTES = 64

export interface SvmVerifierOptions {
  readonly chains: readonly SvmChain[]
  readonly feePayers: readonly FeePayer[]
  /** Mints by network. */
  readonly allowedMints: ReadonlyMap<string, ReadonlySet<string>>
  readonly report: (error: unknown) => void
}

interface AccountInfo {
  readonly owner: string
  readonly data: readonly [string, string]
}

interface Simulated {
  readonly context: { readonly slot: number }
  readonly value: { readonly err: unknown }
}

/**
 * Creates the verification of payments on Solana. Their decoding has checked all that needs no chain. The
 * transaction is always simulated as it would be sent, so that an unknown blockhash, a missing account or a
 * low balance refuses it.
 */
export function createSvmVerifier(options: SvmVerifierOptions): PaymentVerifier {
  const { chains, allowedMints, report } = options
  const byNetwork = new Map(chains.map((chain) => [chain.network, chain]))
  return {
    async verify(payment: SvmPayment) {
      const chain = byNetwork.get(payment.network)
      if (chain === undefined) {
        return invalid(payment.payer, reasons.invalidNetwork, `The network ${payment.network} is not served`)
      }
      if (!allowedMints.get(payment.network)?.has(payment.asset)) {
        const message = 'The asset is not among the accepted assets'
        return invalid(payment.payer, reasons.invalidRequirements, message)
      }
      try {
        return await verifyOnChain(chain, payment, options)
      } catch (error) {
        report(error)
        return invalid(payment.payer, reasons.verifyError, 'The chain could not be read')
      }
    },
  }
}

async function verifyOnChain(
  chain: SvmChain,
  payment: SvmPayment,
  { feePayers }: SvmVerifierOptions,
): Promise<VerificationOutcome> {
  const { details: svm, payer, asset } = payment
  if (!feePayers.some(({ address }) => address === svm.feePayer))
    return invalid(payer, svmReasons.feePayerNotManaged, 'The fee payer is not of this facilitator')
  const readAt = performance.now()
  const accounts = await callAny<{ context: { slot: number }; value: (AccountInfo | null)[] }>(
    chain,
    'getMultipleAccounts',
    [[asset, svm.source], { encoding: 'base64', commitment: 'confirmed' }],
  )
  const [mint, source] = accounts.value
  const problem = findMintProblem(mint && toAccount(mint), svm)
  if (problem !== undefined) return invalid(payer, reasons.invalidRequirements, problem)
  const balance = source ? Buffer.from(source.data[0], 'base64').readBigUInt64LE(64) : 0n
  if (balance < payment.amount)
    return invalid(payer, reasons.insufficientFunds, "The payer's balance is less than the amount")
  // Without the fee payer's signature, because a node could send what it simulates. The payer's was verified
  // when it was decoded.
  const unsigned = encodeSigned(svm.transaction, Buffer.alloc(SIGNATURE_BYTES))
  const { value } = await callAny<Simulated>(chain, 'simulateTransaction', [
    unsigned.toString('base64'),
    { encoding: 'base64', sigVerify: false, commitment: 'confirmed' },
  ])
  if (lacksLamports(value.err))
    return invalid(payer, reasons.verifyError, 'The fee payer cannot pay the fee now. Retry later')
  if (value.err !== null) {
    return invalid(payer, svmReasons.simulation, `The transfer would fail: ${JSON.stringify(value.err)}`)
  }
  return { isValid: true, payer, funds: { balance, block: BigInt(accounts.context.slot), readAt } }
}

/**
 * Whether a simulation failed because the fee payer has too few lamports, which is not the payer's fault: it
 * has no account, cannot pay the fee, or would keep less than an account needs.
 */
function lacksLamports(error: unknown): boolean {
  if (error === 'AccountNotFound' || error === 'InsufficientFundsForFee') return true
  return isDeepStrictEqual(error, { InsufficientFundsForRent: { account_index: 0 } })
}

const toAccount = ({ owner, data }: AccountInfo) => ({ owner, data: Buffer.from(data[0], 'base64') })

const invalid = (payer: string, invalidReason: string, invalidMessage: string): VerificationOutcome => ({
  isValid: false,
  invalidReason,
  invalidMessage,
  payer,
})
