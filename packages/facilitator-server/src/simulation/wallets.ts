import { devAccount } from '@mintmark/devkit/chain/accounts'
import type { SimulatedTransaction } from '@mintmark/devkit/simulation/chain-state'
import { SIMULATION_START_MS } from '@mintmark/devkit/simulation/simulation'
import {
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerializableEIP1559,
} from 'viem'
import type { SettlementSigner } from '../chains/evm/transactions/signers.ts'
import { devUsdc, seller, serving, signedBody, signedPermit2Body } from '../engine/testing.ts'
import type { Payment } from '../payment/payment.ts'
import { decodePayment } from '../schemes/decode.ts'
import type { PaymentPlan } from './plan.ts'

export const CHAIN_ID = 84_532
const NETWORK = `eip155:${CHAIN_ID}`
export const TOKEN = devUsdc.toLowerCase()
export const TREASURY = `0x${'7e'.repeat(20)}`

const lowerCase = (index: number): string => devAccount(index).address.toLowerCase()

/** The wallets that pay sellers. */
export const PAYERS = [lowerCase(1), lowerCase(2)] as const
/** The wallets of the facilitator's accounts, and one without an account. */
export const ACCOUNT_WALLETS = [lowerCase(5), lowerCase(6)] as const
export const UNKNOWN_WALLET = lowerCase(7)
export const STRANGER = lowerCase(3)
export const SIGNER_INDICES = [9, 8] as const

const payments = new Map<string, Payment>()

/**
 * Returns the signed payment of a plan. Signatures are cached, because all simulations begin at the same
 * time.
 */
export async function signPayment(plan: PaymentPlan): Promise<Payment> {
  const key = JSON.stringify({ ...plan, amount: `${plan.amount}`, unused: `${plan.unused}` })
  const cached = payments.get(key)
  if (cached !== undefined) return cached
  const facilitators = new Set([lowerCase(SIGNER_INDICES[0])])
  const body = await signBody(plan)
  const info = { required: false, id: plan.identifier }
  const extensions = { 'payment-identifier': { info, schema: {} } }
  const decoded = decodePayment(
    { ...body, paymentPayload: { ...body.paymentPayload, extensions } },
    { ...serving(NETWORK), facilitators },
  )
  if (!decoded.ok) throw new Error(`The simulation signed an invalid payment: ${decoded.message}`)
  payments.set(key, decoded.payment)
  return decoded.payment
}

/** Signs the body of a request. */
function signBody(plan: PaymentPlan): Promise<{ paymentPayload: object }> {
  const { method, payer, amount, unused, validity, nonce } = plan
  const account = devAccount(payer + 1)
  const validBefore = BigInt(SIMULATION_START_MS / 1000 + validity)
  const terms = { account, value: amount, validBefore, nonce }
  if (method === 'exact by EIP-3009') return signedBody(terms)
  // The first signer is one of every facilitator.
  const upto = { facilitator: lowerCase(SIGNER_INDICES[0]), maximum: amount + unused }
  return signedPermit2Body({ ...terms, to: seller, ...(method === 'upto' && upto) })
}

const signed = new Map<string, Hex>()
const decoded = new Map<Hex, SimulatedTransaction>()
/** Signatures of this many transactions are cached. */
const MAX_CACHED = 50_000

function cache<Key, Value>(values: Map<Key, Value>, key: Key, value: Value): Value {
  if (values.size >= MAX_CACHED) values.clear()
  values.set(key, value)
  return value
}

/** Creates a signer whose signatures are cached. */
export function createSigner(index: number): SettlementSigner {
  const account = devAccount(index)
  const address = account.address.toLowerCase()
  return {
    address,
    async sign(transaction: TransactionSerializableEIP1559) {
      const key = JSON.stringify({ address, ...transaction }, (_, value) =>
        typeof value === 'bigint' ? value.toString() : value,
      )
      const raw = signed.get(key) ?? cache(signed, key, await account.signTransaction(transaction))
      if (!decoded.has(raw)) cache(decoded, raw, await decodeSigned(raw))
      return raw
    },
  }
}

async function decodeSigned(raw: Hex): Promise<SimulatedTransaction> {
  const { nonce = 0, to, data = '0x', value = 0n, maxFeePerGas = 0n } = parseTransaction(raw)
  const from = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
  return {
    hash: keccak256(raw),
    from: from.toLowerCase(),
    to: (to ?? '0x').toLowerCase(),
    nonce,
    data,
    value,
    maxFeePerGas,
  }
}

/** Decodes a transaction that one of the signers signed. */
export function decodeTransaction(raw: Hex): SimulatedTransaction {
  const transaction = decoded.get(raw)
  if (transaction === undefined)
    throw new Error('A transaction was broadcast that no signer of the simulation signed')
  return transaction
}
