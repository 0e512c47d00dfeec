import { maxUint256, toFunctionSelector } from 'viem'
import { addressWord } from '../../../../chains/evm/reads/abi-words.ts'
import type { ReadResult } from '../../../../chains/evm/reads/batched-reads.ts'
import { readWord } from '../../../../chains/evm/reads/token-reads.ts'
import type { Payment } from '../../../../payment/payment.ts'
import type { Problem } from '../../../../payment/problem.ts'
import { reasons } from '../../../../payment/reasons.ts'
import { channelReasons } from '../../batch-settlement/channel-reasons.ts'
import type { MethodChecks } from '../method-checks.ts'
import { permit2, termsOf } from './permit2.ts'
import { permit2Address, spenders } from './permit2-contracts.ts'

const selectors = {
  allowance: toFunctionSelector('allowance(address,address)').slice(2),
  permit2: toFunctionSelector('PERMIT2()').slice(2),
}

/** The checks of payments by Permit2. */
export const permit2Checks: MethodChecks = {
  plan: (payment) => ({
    reads: [
      permit2.nonceRead(payment),
      {
        target: payment.asset,
        data: `${selectors.allowance}${addressWord(payment.payer)}${addressWord(permit2Address)}`,
      },
      { target: spenders[payment.scheme], data: selectors.permit2 },
    ],
    evaluate([nonce, allowance, proxy]) {
      if (!nonce || !allowance || !proxy)
        throw new Error('The chain returned fewer results than were requested')
      const isUsed = permit2.isUsed(payment, nonce)
      const isApproved = isApprovedFor(payment, allowance)
      return {
        contractProblem: isUsed === undefined || !isPermit2(proxy) ? NOT_DEPLOYED : undefined,
        payerProblem: isUsed
          ? NONCE_USED
          : isApproved || canApprove(payment)
            ? undefined
            : toNotApproved(payment),
        needsApproval: !isApproved && termsOf(payment).approvalTransaction !== undefined,
        allowance: findAllowance(payment, allowance),
      }
    },
  }),
}

const NOT_DEPLOYED: Problem = {
  reason: reasons.proxyNotDeployed,
  message: "The chain has no Permit2, or not x402's contract for it",
}
const NONCE_USED: Problem = {
  reason: reasons.permit2NonceUsed,
  message: 'The nonce was used or cancelled at Permit2',
}

/** Whether x402's contract is deployed: it returns the address of Permit2. */
const isPermit2 = (result: ReadResult): boolean => readWord(result) === BigInt(permit2Address)

/** A signed approval counts only when the token executes it, so that a simulation decides. */
const canApprove = (payment: Payment): boolean => {
  const { approval, approvalTransaction } = termsOf(payment)
  return approval !== undefined || approvalTransaction !== undefined
}

function isApprovedFor(payment: Payment, result: ReadResult): boolean {
  const allowance = readWord(result)
  return allowance !== undefined && allowance >= payment.amount
}

/**
 * Finds out what Permit2 may transfer when the payment is executed. A signed approval replaces the allowance,
 * and one with a limit does not have to leave anything for other payments. A signed transaction is only sent
 * if the allowance does not suffice.
 */
function findAllowance(payment: Payment, result: ReadResult): bigint | 'own' {
  const { approval, approvalTransaction } = termsOf(payment)
  if (approval !== undefined) return 'own'
  if (approvalTransaction === undefined || isApprovedFor(payment, result)) return readWord(result) ?? 0n
  return BigInt(`0x${approvalTransaction.data.slice(-64)}`) === maxUint256 ? maxUint256 : 'own'
}

const toNotApproved = ({ scheme }: Payment): Problem => ({
  reason: scheme === 'batch-settlement' ? channelReasons.permit2AllowanceRequired : reasons.allowanceRequired,
  message: `The payer must approve Permit2 (${permit2Address}) for the asset, once`,
})
