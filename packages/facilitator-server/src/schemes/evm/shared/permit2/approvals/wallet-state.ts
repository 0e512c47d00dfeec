import type { Chain, RpcCall, RpcOutcome } from '@mintmark/evm-reader'
import { numberToHex, toFunctionSelector } from 'viem'
import { addressWord } from '../../../../../chains/evm/reads/abi-words.ts'
import { readSimulated } from '../../../../../chains/evm/reads/simulated-calls.ts'
import type { Payment } from '../../../../../payment/payment.ts'
import type { Problem } from '../../../../../payment/problem.ts'
import { permit2Address } from '../permit2-contracts.ts'
import {
  findApprovedTransferProblem,
  type TransferSender,
  toApprovedTransferCall,
} from './approved-transfer.ts'
import type { SponsoredPayment } from './sponsoring.ts'

/** What decides whether a wallet's signed approval can be mined: everything from one block. */
export interface WalletState {
  readonly block: bigint
  /** Wei per unit of gas. */
  readonly baseFeePerGas: bigint
  /** Whether the wallet is a contract, or a key that delegates to one (EIP-7702). */
  readonly hasCode: boolean
  readonly nonce: number
  /** The next nonce after the transactions in the node's pool. */
  readonly pendingNonce: number
  /** Wei. */
  readonly balance: bigint
  /** What Permit2 may transfer, in base units of the asset. */
  readonly allowance: bigint
  /** Whether the token executes the approval within its gas limit. */
  readonly isApprovable: boolean
  /** Why the transfer would fail after the approval, if the node can execute both. */
  readonly transferProblem: Problem | undefined
}

const ALLOWANCE = toFunctionSelector('allowance(address,address)')

/**
 * Reads the state of a wallet at the newest block. A node that lacks the block refuses, so that no two nodes
 * contribute.
 *
 * @throws Error if the chain cannot be read.
 */
export async function readWalletState(
  chain: Chain,
  sponsored: SponsoredPayment,
  sender: TransferSender,
): Promise<WalletState> {
  const { payment, approval } = sponsored
  const { payer, asset } = payment
  const { hash, number, baseFeePerGas } = await chain.client.getBlock({ blockTag: 'latest' })
  const at = { blockHash: hash }
  const approve = { from: payer, to: asset, data: approval.data, gas: numberToHex(approval.gas) }
  const calls: RpcCall[] = [
    { method: 'eth_getCode', params: [payer, at] },
    { method: 'eth_getTransactionCount', params: [payer, at] },
    { method: 'eth_getTransactionCount', params: [payer, 'pending'] },
    { method: 'eth_getBalance', params: [payer, at] },
    { method: 'eth_call', params: [{ to: asset, data: encodeAllowance(payer) }, at] },
    { method: 'eth_call', params: [approve, at] },
    toApprovedTransferCall(sponsored, sender, at),
  ]
  const [code, nonce, pendingNonce, balance, allowance, approved, transferred] =
    await chain.requestEach(calls)
  return {
    block: number,
    baseFeePerGas: baseFeePerGas ?? 0n,
    hasCode: readResult(code) !== '0x',
    nonce: Number(readResult(nonce)),
    pendingNonce: Number(readResult(pendingNonce)),
    balance: BigInt(readResult(balance)),
    allowance: BigInt(readResult(allowance)),
    isApprovable: readSimulated(approved).succeeded,
    transferProblem: findApprovedTransferProblem(sponsored, transferred),
  }
}

/**
 * Reads what Permit2 may transfer for a wallet, and the wallet's next nonce, at the newest block. Undefined if
 * the node lacks that block, which another node named.
 *
 * @throws Error if the chain cannot be read.
 */
export async function readAllowance(
  chain: Chain,
  { payer, asset }: Payment,
): Promise<Pick<WalletState, 'allowance' | 'nonce'> | undefined> {
  const { hash } = await chain.client.getBlock({ blockTag: 'latest' })
  const at = { blockHash: hash }
  const [allowance, nonce] = await chain.requestEach([
    { method: 'eth_call', params: [{ to: asset, data: encodeAllowance(payer) }, at] },
    { method: 'eth_getTransactionCount', params: [payer, at] },
  ])
  if (allowance === undefined || nonce === undefined || 'error' in allowance || 'error' in nonce)
    return undefined
  return { allowance: BigInt(readResult(allowance)), nonce: Number(readResult(nonce)) }
}

/**
 * Whether Permit2 may transfer the payment's amount, at the newest block.
 *
 * @throws Error if the chain cannot be read.
 */
export async function hasAllowance(chain: Chain, { payer, asset, amount }: Payment): Promise<boolean> {
  const [outcome] = await chain.requestEach([
    { method: 'eth_call', params: [{ to: asset, data: encodeAllowance(payer) }, 'latest'] },
  ])
  return BigInt(readResult(outcome)) >= amount
}

const encodeAllowance = (payer: string): string =>
  `${ALLOWANCE}${addressWord(payer)}${addressWord(permit2Address)}`

function readResult(outcome: RpcOutcome | undefined): string {
  if (outcome === undefined) throw new Error('The node returned fewer results than were requested')
  if ('error' in outcome)
    throw new Error(`The wallet could not be read: ${outcome.error.code} ${outcome.error.message}`)
  return String(outcome.result)
}
