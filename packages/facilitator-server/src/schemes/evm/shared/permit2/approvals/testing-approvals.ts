import { randomBytes } from 'node:crypto'
import { plainTokenAbi } from '@mintmark/devkit/chain/artifacts/abi'
import { permit2Address } from '@mintmark/devkit/chain/chain'
import type { TestChain } from '@mintmark/devkit/chain/testing'
import { type Address, encodeFunctionData, type Hex, maxUint256, type TransactionSerializable } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { EvmPayment } from '../../../../../chains/evm/transactions/execution.ts'
import { seller, signedPermit2Body } from '../../../../../engine/testing.ts'
import { decodePayment } from '../../../../decode.ts'
import { APPROVAL_TRANSACTION_EXTENSION } from '../approval-transaction.ts'
import type { Permit2Terms } from '../permit2-terms.ts'

/**
 * What a test changes of the transaction that the stock client signs. Any type, since tests send nonsense.
 */
export type TransactionChanges = Partial<TransactionSerializable>

/** The gas limit of the stock client. */
export const STOCK_GAS = 70_000n
const GWEI = 1_000_000_000n
/** The fee that these tests sign. */
export const MAX_FEE = 10n * GWEI

export const approveCall = (spender: Address = permit2Address, amount = maxUint256): Hex =>
  encodeFunctionData({ abi: plainTokenAbi, functionName: 'approve', args: [spender, amount] })

/** Signs an approval as the stock client does, except for the changes. */
export function signApproval(
  account: PrivateKeyAccount,
  asset: Address,
  changes: TransactionChanges = {},
): Promise<Hex> {
  const transaction = {
    type: 'eip1559',
    chainId: 84532,
    to: asset,
    data: approveCall(),
    nonce: 0,
    gas: STOCK_GAS,
    maxFeePerGas: MAX_FEE,
    maxPriorityFeePerGas: GWEI,
    ...changes,
  }
  return account.signTransaction(transaction as TransactionSerializable)
}

/** The extension as the stock client sends it. */
export const approvalExtension = (
  from: Address,
  asset: Address,
  signedTransaction: string,
  changes = {},
) => ({
  [APPROVAL_TRANSACTION_EXTENSION]: {
    info: {
      from,
      asset,
      spender: permit2Address,
      amount: `${maxUint256}`,
      signedTransaction,
      version: '1',
      ...changes,
    },
  },
})

/** Creates a wallet with tokens and without native tokens. */
export async function createWallet(chain: TestChain, asset: Address): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  const args = [account.address, 1_000_000n] as const
  await chain.confirm(
    chain.as(1).writeContract({ address: asset, abi: plainTokenAbi, functionName: 'mint', args }),
  )
  return account
}

/** The body of a payment by Permit2, with extensions. */
export const sponsoredBody = (account: PrivateKeyAccount, asset: Address, extensions: object) =>
  signedPermit2Body({
    account,
    to: seller,
    asset,
    value: 10_000n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    validBefore: BigInt(Math.floor(Date.now() / 1000) + 600),
    extensions,
  })

/** Decodes a body where approvals are sponsored. */
export const decodeSponsored = (body: object) =>
  decodePayment(body, {
    networks: new Set(['eip155:84532']),
    facilitators: new Set(),
    approvalChains: new Set([84532]),
  })

/** A payment with a signed approval. */
export async function signSponsored(
  account: PrivateKeyAccount,
  asset: Address,
  changes: TransactionChanges = {},
  signer: PrivateKeyAccount = account,
): Promise<EvmPayment<Permit2Terms>> {
  const raw = await signApproval(signer, asset, changes)
  const decoded = decodeSponsored(
    await sponsoredBody(account, asset, approvalExtension(account.address, asset, raw)),
  )
  if (!decoded.ok) throw new Error(decoded.message)
  // The body is signed for Permit2.
  return decoded.payment as EvmPayment<Permit2Terms>
}
