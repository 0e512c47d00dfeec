import type { Chain, RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { createInquire } from '../../../chains/evm/reads/inquiries.ts'
import * as token from '../../../chains/evm/reads/token-reads.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import { openOnce } from '../../scheme.ts'
import type { EvmSchemePayment } from '../evm-scheme.ts'
import type { MethodChecks, PaymentState } from '../shared/method-checks.ts'

/** A payment's state, and the outcomes of the calls that were sent with it. */
export interface PaymentInquiry {
  readonly state: PaymentState
  readonly outcomes: readonly RpcOutcome[]
}

/**
 * Reads the state of a payment, and executes calls on the newest block, in one HTTP request.
 *
 * @throws Error if the chain cannot be read.
 */
export type ReadPaymentState = (
  payment: EvmSchemePayment,
  calls: readonly RpcCall[],
) => Promise<PaymentInquiry>

/** Creates the reader of the state of one chain's payments. */
export function createReadPaymentState(chain: Chain, now: () => number): ReadPaymentState {
  const inquire = createInquire(chain)
  const open = openOnce<typeof now, MethodChecks>(now)
  return async (payment, calls) => {
    const { asset, payer, amount } = payment
    const { openChecks } = payment.scheme
    if (openChecks === undefined) throw new Error('The payment is no transfer')
    const { reads, evaluate } = open(openChecks).plan(payment)
    const inquiry = { reads: [token.balanceOf(asset, payer), token.blockNumber(), ...reads], calls }
    const result = await inquire(inquiry)
    const [held, block, ...results] = result.reads
    if (!held || !block) throw new Error('The chain returned fewer results than were requested')
    const { contractProblem, payerProblem, needsApproval = false, allowance } = evaluate(results)
    const balance = token.readWord(held) ?? 0n
    const state = {
      contractProblem: token.hasNoCode(held) ? NO_CONTRACT : contractProblem,
      payerProblem: payerProblem ?? (balance < amount ? INSUFFICIENT : undefined),
      needsApproval,
      allowance,
      balance,
      block: token.readWord(block),
    }
    return { state, outcomes: result.calls }
  }
}

const NO_CONTRACT: Problem = {
  reason: reasons.noContract,
  message: "The asset's address has no contract",
}
const INSUFFICIENT: Problem = {
  reason: reasons.insufficientFunds,
  message: "The payer's balance is less than the amount",
}
