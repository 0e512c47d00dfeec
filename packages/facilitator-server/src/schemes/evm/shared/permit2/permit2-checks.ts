import { maxUint256, toFunctionSelector } from 'viem'
import { addressWord, numberWord } from '../../../../chains/evm/reads/abi-words.ts'
import type { Read, ReadResult } from '../../../../chains/evm/reads/multicall-reads.ts'
import { readWord } from '../../../../chains/evm/reads/token-reads.ts'
import type { PaymentNonce } from '../../../../chains/evm/reads/transfer-method.ts'
import type { Payment } from '../../../../payment/payment.ts'
import type { Problem } from '../../../../payment/problem.ts'
import { reasons } from '../../../../payment/reasons.ts'
import type { MethodChecks } from '../method-checks.ts'
import { permit2Address } from './permit2-contracts.ts'
import type { Permit2Terms } from './permit2-terms.ts'

const selectors = {
  allowance: toFunctionSelector('allowance(address,address)').slice(2),
  permit2: toFunctionSelector('PERMIT2()').slice(2),
}

const nonceBitmap = toFunctionSelector('nonceBitmap(address,uint256)').slice(2)

/** A nonce is a bit: its last byte is the place in a word, the others are the number of the word. */
export function nonceRead({ payer, nonce }: PaymentNonce): Read {
  return {
    target: permit2Address,
    data: `${nonceBitmap}${addressWord(payer)}${numberWord(BigInt(nonce) >> 8n)}`,
  }
}

export function isNonceUsed(payment: PaymentNonce, result: ReadResult): boolean | undefined {
  const word = readWord(result)
  return word === undefined ? undefined : hasBit(word, payment)
}

export const hasBit = (word: bigint, { nonce }: PaymentNonce): boolean =>
  ((word >> (BigInt(nonce) & 0xffn)) & 1n) === 1n

/** Creates the checks of payments by Permit2 to a contract of x402, with the reason of a missing approval. */
export const createPermit2Checks = (
  spender: string,
  allowanceReason: string,
): MethodChecks<Permit2Terms> => ({
  plan: (payment) => ({
    reads: [
      nonceRead(payment),
      {
        target: payment.asset,
        data: `${selectors.allowance}${addressWord(payment.payer)}${addressWord(permit2Address)}`,
      },
      { target: spender, data: selectors.permit2 },
    ],
    evaluate([nonce, allowance, proxy]) {
      if (!nonce || !allowance || !proxy)
        throw new Error('The chain returned fewer results than were requested')
      const isUsed = isNonceUsed(payment, nonce)
      const isApproved = isApprovedFor(payment, allowance)
      return {
        contractProblem: isUsed === undefined || !isPermit2(proxy) ? NOT_DEPLOYED : undefined,
        payerProblem: isUsed
          ? NONCE_USED
          : isApproved || canApprove(payment)
            ? undefined
            : toNotApproved(allowanceReason),
        needsApproval: !isApproved && payment.details.approvalTransaction !== undefined,
        allowance: findAllowance(payment, allowance),
      }
    },
  }),
})

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
const canApprove = ({ details: { approval, approvalTransaction } }: Payment<Permit2Terms>): boolean =>
  approval !== undefined || approvalTransaction !== undefined

function isApprovedFor(payment: Payment, result: ReadResult): boolean {
  const allowance = readWord(result)
  return allowance !== undefined && allowance >= payment.amount
}

/**
 * Finds out what Permit2 may transfer when the payment is executed. A signed approval replaces the allowance,
 * and one with a limit does not have to leave anything for other payments. A signed transaction is only sent
 * if the allowance does not suffice.
 */
function findAllowance(payment: Payment<Permit2Terms>, result: ReadResult): bigint | 'own' {
  const { approval, approvalTransaction } = payment.details
  if (approval !== undefined) return 'own'
  if (approvalTransaction === undefined || isApprovedFor(payment, result)) return readWord(result) ?? 0n
  return BigInt(`0x${approvalTransaction.data.slice(-64)}`) === maxUint256 ? maxUint256 : 'own'
}

const toNotApproved = (reason: string): Problem => ({
  reason,
  message: `The payer must approve Permit2 (${permit2Address}) for the asset, once`,
})
