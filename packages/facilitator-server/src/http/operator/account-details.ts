import type {
  AccountDeposit,
  AccountDetails,
  LedgerTransfer,
  OperatorAccount,
  OperatorKey,
} from '@mintmark/facilitator/operator'
import { findPage, type PageQuery, type PageRows } from '@mintmark/server-kit'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { DepositsTable, LedgerTransfersTable, Tables } from '../../database/tables.ts'
import { type Account, getAccount, listAccountsById } from '../../ledger/accounts/accounts.ts'
import { type ApiKey, listNewestKeys } from '../../ledger/accounts/keys.ts'
import { listNewestQuotas } from '../../ledger/quotas/quotas.ts'
import { toPayerQuota } from '../native/payer-quotas.ts'

const LISTED = { keys: 100, quotas: 20, deposits: 50, transfers: 50, settlements: 50 }

export interface AccountFilter {
  readonly search?: string | undefined
  readonly frozen?: boolean | undefined
}

/** Lists a page of the accounts. */
export async function findAccounts(
  db: Kysely<Tables>,
  { search, frozen }: AccountFilter,
  page: PageQuery,
): Promise<PageRows<OperatorAccount>> {
  let query = db.selectFrom('facilitator.accounts').selectAll()
  if (frozen !== undefined) query = query.where('frozen_at', frozen ? 'is not' : 'is', null)
  if (search !== undefined && search !== '') {
    const text = search.toLowerCase()
    query = query.where(
      sql<boolean>`(position(${text} in payer) > 0 or position(${text} in lower(name)) > 0 or id::text = ${text})`,
    )
  }
  const found = await findPage(db, 'facilitator.accounts', query, page)
  const accounts = await listAccountsById(
    db,
    found.rows.map(({ id }) => id),
  )
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const listed = found.rows.flatMap(({ id }) => byId.get(id) ?? [])
  return { ...found, rows: listed.map(toOperatorAccount) }
}

/** Reads an account with what belongs to it. @throws AccountNotFoundError */
export async function readAccountDetails(db: Kysely<Tables>, id: number): Promise<AccountDetails> {
  const account = await getAccount(db, id)
  const [keys, quotas, deposits, transfers] = await Promise.all([
    listNewestKeys(db, id, LISTED.keys),
    listNewestQuotas(db, id, LISTED.quotas),
    listDeposits(db, id),
    listTransfers(db, id),
  ])
  return {
    account: toOperatorAccount(account),
    keys: keys.map((key) => toOperatorKey(key)),
    quotas: quotas.map(toPayerQuota),
    deposits: deposits.map(toDeposit),
    transfers: transfers.map(toLedgerTransfer),
  }
}

async function listDeposits(db: Kysely<Tables>, account: number): Promise<Selectable<DepositsTable>[]> {
  const query = db.selectFrom('facilitator.deposits').selectAll().where('account_id', '=', account)
  return await query.orderBy('id', 'desc').limit(LISTED.deposits).execute()
}

/**
 * The transfers of an account have no index of their own: those of settlements are found by the newest
 * settlements.
 */
async function listTransfers(
  db: Kysely<Tables>,
  account: number,
): Promise<Selectable<LedgerTransfersTable>[]> {
  const { rows } = await sql<Selectable<LedgerTransfersTable>>`
    (select t.* from (select id from facilitator.settlements where account_id = ${account}
        order by created_at desc, id desc limit ${LISTED.settlements}) s
      join facilitator.ledger_transfers t on t.settlement_id = s.id)
    union all
    (select * from facilitator.ledger_transfers where account_id = ${account} and settlement_id is null
      order by id desc limit ${LISTED.transfers})
    order by id desc limit ${LISTED.transfers}`.execute(db)
  return rows
}

export const toOperatorAccount = ({
  id,
  payer,
  name,
  available,
  held,
  owed,
  frozenReason,
  batchDelayMs,
  createdAt,
}: Account): OperatorAccount => ({
  id,
  payer,
  name,
  balance: String(available),
  reserved: String(held),
  owed: String(owed),
  ...(frozenReason !== undefined && { frozenReason }),
  batchDelayMs,
  createTime: createdAt.toISOString(),
})

export const toOperatorKey = (
  { id, accountId, name, prefix, createdAt, revokedAt }: ApiKey,
  token?: string,
): OperatorKey => ({
  id,
  accountId,
  name,
  prefix,
  ...(token !== undefined && { token }),
  createTime: createdAt.toISOString(),
  ...(revokedAt !== undefined && { revokeTime: revokedAt.toISOString() }),
})

const toDeposit = (row: Selectable<DepositsTable>): AccountDeposit => ({
  id: row.id,
  chainId: row.chain_id,
  transaction: row.hash,
  amount: row.amount,
  blockNumber: row.block_number,
  createTime: row.created_at.toISOString(),
  ...(row.reversed_at !== null && { reverseTime: row.reversed_at.toISOString() }),
})

export const toLedgerTransfer = (row: Selectable<LedgerTransfersTable>): LedgerTransfer => ({
  id: row.id,
  kind: row.kind,
  debit: row.debit,
  credit: row.credit,
  amount: row.amount,
  ...(row.settlement_id !== null && { settlementId: row.settlement_id }),
  ...(row.deposit_id !== null && { depositId: row.deposit_id }),
  actor: row.actor,
  reason: row.reason ?? '',
  createTime: row.created_at.toISOString(),
})
