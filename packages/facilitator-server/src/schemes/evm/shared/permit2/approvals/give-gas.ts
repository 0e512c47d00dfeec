import { numberToHex } from 'viem'
import { asHex } from '../../../../../chains/evm/reads/transfer.ts'
import { addGasReserve } from '../../../../../chains/evm/settings/gas-caps.ts'
import { type Fees, getMaxCost } from '../../../../../chains/evm/transactions/fees.ts'
import {
  broadcast,
  canPay,
  type NonceLane,
  prepareNonceLane,
  releaseNonceLane,
  reserveNonceLane,
  signCall,
} from '../../../../../chains/evm/transactions/nonce-lanes.ts'
import type { Call } from '../../../../../chains/evm/transactions/transaction-store.ts'
import { notSent, refused, type Unsent } from '../../../../../chains/evm/transactions/upstream-responses.ts'
import { reasons } from '../../../../../payment/reasons.ts'
import { addGrant, type GrantRefusal } from './grant-store.ts'
import { grantKey, type Sponsoring } from './sponsoring.ts'
import type { WalletState } from './wallet-state.ts'

/**
 * More gas than a transfer to a wallet without code needs on any chain. Code that a wallet gets meanwhile
 * cannot use more.
 */
const MAX_TRANSFER_GAS = 100_000n

/**
 * Signs and broadcasts the transfer of native tokens that a wallet lacks for its approval. Nothing is sent
 * unless the grant is committed. A grant that was committed is broadcast by a sweep, if this process dies
 * before.
 *
 * @returns Undefined if the wallet receives the gas, by this call or by a concurrent one.
 */
export async function giveGas(
  sponsoring: Sponsoring,
  wallet: WalletState,
  amount: bigint,
): Promise<Unsent | undefined> {
  const { on, payment } = sponsoring
  const fees = await on.fees.quote()
  const transfer = { recipient: payment.payer, data: '0x', value: amount }
  const cost = getMaxCost({ ...transfer, gas: MAX_TRANSFER_GAS }, fees) + amount
  const lane = await reserveNonceLane(on, cost)
  if (lane === undefined) return notSent('No signer can pay for the gas of the approval')
  try {
    const gas = await estimateTransferGas(lane, transfer)
    if (gas > MAX_TRANSFER_GAS)
      return refused(reasons.approvalTxFailed, 'The wallet needs too much gas to receive native tokens')
    const call = { ...transfer, gas }
    const exact = getMaxCost(call, fees) + amount
    if (!canPay(lane, exact)) return notSent('No signer can pay for the gas of the approval')
    await prepareNonceLane(sponsoring.parts.db, lane)
    return await commit(sponsoring, { lane, wallet, call, fees, cost: exact })
  } finally {
    releaseNonceLane(lane)
  }
}

/** A transfer that can be signed. */
interface PreparedGrant {
  readonly lane: NonceLane
  readonly wallet: WalletState
  readonly call: Call & { readonly value: bigint }
  readonly fees: Fees
  /** The most wei that the transfer costs its signer. */
  readonly cost: bigint
}

async function commit(
  { parts, on, limits, payment, approval, call: { settlementId, attempt } }: Sponsoring,
  { lane, wallet, call, fees, cost }: PreparedGrant,
): Promise<Unsent | undefined> {
  const grant = {
    ...grantKey(payment),
    network: on.chain.network,
    block: wallet.block,
    settlementId,
    attempt,
    amount: call.value,
    cost,
    perDay: limits.perDay,
    approvalHash: approval.hash,
  }
  const signed = await addGrant(parts.db, lane.signer.address, grant, call, (nonce) =>
    signCall(lane, nonce, call, fees),
  )
  if (typeof signed === 'string') return REFUSALS[signed]
  const outcome = await broadcast(on.chain, signed)
  // The transfer is in the database, so a sweep broadcasts it again.
  if (outcome.kind === 'rejected')
    parts.report(new Error(`The node rejected a grant of gas: ${outcome.message}`))
  if (outcome.kind === 'nonce-too-low') lane.prepared = undefined
  return undefined
}

const REFUSALS: Readonly<Record<GrantRefusal, Unsent | undefined>> = {
  // By a concurrent call, for whose grant this one waits.
  'granted-before': undefined,
  limit: refused(
    reasons.allowanceRequired,
    'The gas that the payers of this account are given in a day is used up. Approve Permit2 with the wallet',
  ),
  unpaid: refused(
    reasons.allowanceRequired,
    'The payers of an account that its wallet opened are given only gas that was paid for. Approve Permit2 with the wallet',
  ),
  lagging: notSent('The node lacks the newest blocks'),
  disowned: notSent('The settle took longer than its lease'),
}

async function estimateTransferGas(
  { chain, signer }: NonceLane,
  { recipient, value }: { readonly recipient: string; readonly value: bigint },
): Promise<bigint> {
  const estimate = await chain.client.request({
    method: 'eth_estimateGas',
    params: [{ from: asHex(signer.address), to: asHex(recipient), value: numberToHex(value) }],
  })
  return addGasReserve(BigInt(estimate))
}
