import type { ApprovalLimits } from '../../../../../chains/evm/settings/approval-limits.ts'
import type { FeeQuote } from '../../../../../chains/evm/transactions/fees.ts'
import { getMaxCost } from '../../../../../chains/evm/transactions/fees.ts'
import type { Problem } from '../../../../../payment/problem.ts'
import { reasons } from '../../../../../payment/reasons.ts'
import type { ApprovalTransaction } from '../permit2-terms.ts'
import type { WalletState } from './wallet-state.ts'

/** The state that a signed approval is checked against. */
export interface ApprovalSituation {
  readonly wallet: WalletState
  /** Wei that the wallet lacks for the gas. */
  readonly missing: bigint
  readonly limits: ApprovalLimits
  /** Whether the wallet was given gas for this asset before. */
  readonly isGranted: boolean
}

/** Returns the wei that the wallet lacks for the gas of its approval. */
export function getMissingWei(
  { gas, raw, maxFeePerGas }: ApprovalTransaction,
  { wallet, quote }: { readonly wallet: WalletState; readonly quote: Pick<FeeQuote, 'parentFeePerKilobyte'> },
): bigint {
  const cost = getMaxCost({ gas, data: raw }, { ...quote, maxFeePerGas })
  return cost > wallet.balance ? cost - wallet.balance : 0n
}

/** Finds out why a signed approval cannot be mined, whatever we give the wallet. */
export function findExecutionProblem(
  approval: ApprovalTransaction,
  wallet: WalletState,
): Problem | undefined {
  if (wallet.hasCode)
    return failed(
      'The wallet has code, so that its approval is not sponsored. Approve Permit2 with the wallet',
    )
  if (wallet.nonce !== approval.nonce)
    return failed(
      `The approval is signed for nonce ${approval.nonce}, and the wallet's next nonce is ${wallet.nonce}. Sign a new one`,
    )
  if (approval.maxFeePerGas < wallet.baseFeePerGas)
    return failed(
      `The approval offers ${approval.maxFeePerGas} wei per unit of gas, less than the base fee of ${wallet.baseFeePerGas}. Sign a new one`,
    )
  return wallet.isApprovable ? wallet.transferProblem : failed('The token does not execute the approval')
}

/** Finds out why a signed approval cannot be mined, or why its gas is not given. */
export function findApprovalProblem(
  approval: ApprovalTransaction,
  { wallet, missing, limits, isGranted }: ApprovalSituation,
): Problem | undefined {
  const problem = findExecutionProblem(approval, wallet)
  if (problem !== undefined) return problem
  if (missing === 0n) return undefined
  if (isGranted) return GRANTED_BEFORE
  if (missing > limits.perGrant)
    return failed(
      `The wallet lacks ${missing} wei for the approval's gas, more than the ${limits.perGrant} that are given. Sign one with a lower gas limit or fee`,
    )
  return wallet.pendingNonce === wallet.nonce
    ? undefined
    : failed('Another transaction of the wallet waits to be mined. Sign the approval after it')
}

const failed = (message: string): Problem => ({ reason: reasons.approvalTxFailed, message })

const GRANTED_BEFORE: Problem = {
  reason: reasons.allowanceRequired,
  message: 'The wallet was given gas for this approval before. Approve Permit2 with the wallet',
}
