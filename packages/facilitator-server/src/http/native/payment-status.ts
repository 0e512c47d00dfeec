import { NotFoundError } from '@mintmark/envelope'
import type { Chains } from '@mintmark/evm-reader'
import type { GetPaymentInput, PaymentStatus } from '@mintmark/facilitator'
import { createFieldError, refusal } from '@mintmark/server-kit'
import { sql } from 'kysely'
import { findByIdentifier, findByNonce } from '../../ledger/settlements/find-payment.ts'
import type { Settlement } from '../../ledger/settlements/settlement.ts'
import { listSettlements } from '../../operations/settlement-list.ts'
import { type Db, type FacilitatorContext, requireAccount } from '../context/context.ts'
import { describeFinality } from '../payments/finality.ts'

/** The chains that are read. */
type StatusChains = Pick<Chains, 'byNetwork'>

/** Reads what became of a payment of the account. */
export async function readPaymentStatus(
  chains: StatusChains,
  input: GetPaymentInput,
  context: FacilitatorContext,
): Promise<PaymentStatus> {
  const settlement = await findPayment(context.db, requireAccount(context).id, input)
  if (settlement === undefined) throw refusal(NotFoundError, 'The account has settled no such payment')
  const head = settlement.block_number === null ? undefined : await readHead(context.db, settlement.network)
  return {
    orderNo: settlement.order_no,
    state: settlement.state,
    ...(settlement.reason !== null && { reason: settlement.reason }),
    network: settlement.network,
    payer: settlement.payer,
    nonce: settlement.nonce,
    transaction: settlement.transaction ?? '',
    ...(head !== undefined && { confirmations: countConfirmations(head, settlement.block_number) }),
    finality: describeFinality(chains.byNetwork(settlement.network)?.finality),
    isFinal: settlement.final_at !== null,
    isCharged: settlement.hold === 'captured',
    isDelivered: settlement.delivered_at !== null,
    createTime: settlement.created_at.toISOString(),
    ...(settlement.ended_at !== null && { settleTime: settlement.ended_at.toISOString() }),
  }
}

/**
 * Reads the newest block that a job has recorded. The status is needed most when something is broken, so it does
 * not depend on a node.
 */
async function readHead(db: Db, network: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ block_number: string }>`
    select block_number::text from facilitator.chain_heads where network = ${network}`.execute(db)
  return rows[0] && BigInt(rows[0].block_number)
}

/** The recorded block may be older than that of the payment. */
const countConfirmations = (head: bigint, block: string | null): number =>
  Math.max(0, Number(head - BigInt(block ?? 0)) + 1)

async function findPayment(
  db: Db,
  accountId: number,
  { transaction, identifier, network, payer, nonce, contract }: GetPaymentInput,
): Promise<Settlement | undefined> {
  if (network !== undefined && payer !== undefined && nonce !== undefined) {
    const found = await findByNonce(db, accountId, { network, payer, nonce: readNonce(nonce), contract })
    return onlyOne(
      found,
      'contract',
      'Several payments have this nonce. Send the contract that keeps it: the token, or Permit2',
    )
  }
  if (transaction !== undefined) {
    const part = { before: undefined, size: 2 }
    const { rows } = await listSettlements(db, { accountId, transaction, payer }, part)
    return onlyOne(
      rows,
      'transaction',
      'Several payments have this transaction. Send network, payer and nonce of one',
    )
  }
  if (identifier !== undefined) return findByIdentifier(db, accountId, { identifier, payer })
  throw createFieldError('transaction', 'Expected transaction, identifier, or network with payer and nonce')
}

/** Returns the only payment. Refuses several: the outcome of another one would be wrong. */
function onlyOne(found: readonly Settlement[], field: string, message: string): Settlement | undefined {
  if (found.length > 1) throw createFieldError(field, message)
  return found[0]
}

/** Reads a nonce of 32 bytes, or a decimal number of Permit2. */
function readNonce(nonce: string): string {
  if (/^0x[0-9a-fA-F]{64}$/.test(nonce)) return nonce.toLowerCase()
  if (!/^[0-9]{1,78}$/.test(nonce))
    throw createFieldError('nonce', 'Expected 0x and 64 hexadecimal digits, or a decimal number')
  return `0x${BigInt(nonce).toString(16).padStart(64, '0')}`
}
