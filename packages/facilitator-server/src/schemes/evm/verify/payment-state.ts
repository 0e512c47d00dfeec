import type { Chain, RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { createInquire } from '../../../chains/evm/reads/inquiries.ts'
import * as token from '../../../chains/evm/reads/token-reads.ts'
import type { Payment } from '../../../payment/payment.ts'
import type { Problem } from '../../../payment/problem.ts'
import { reasons } from '../../../payment/reasons.ts'
import { createEip3009Checks } from '../exact-eip3009/eip3009-checks.ts'
import type { PaymentState } from '../shared/method-checks.ts'
import { permit2Checks } from '../shared/permit2/permit2-checks.ts'

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
export type ReadPaymentState = (payment: Payment, calls: readonly RpcCall[]) => Promise<PaymentInquiry>

/** Creates the reader of the state of one chain's payments. */
export function createReadPaymentState(chain: Chain, now: () => number): ReadPaymentState {
  const inquire = createInquire(chain)
  const eip3009Checks = createEip3009Checks(now)
  return async (payment, calls) => {
    const { asset, payer, amount } = payment
    const checks = payment.permit2 === undefined ? eip3009Checks : permit2Checks
    const { reads, evaluate } = checks.plan(payment)
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
