import { createHash } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import { transaction } from '../postgres/index.ts'
import { invalidField, Refusal } from './http-error.ts'
import type { ResponseFormat } from './response-format.ts'
import type { Call, ServedAnswer } from './serve.ts'

/** How long an answer is kept under its key. */
export const IDEMPOTENCY_HOURS = 24

/** The request as the key stands for it: another body under the same key is refused. */
function hashOf(call: Call<unknown>): string {
  return createHash('sha256')
    .update(`${call.method}\n${call.path}\n${call.query}\n`)
    .update(call.body)
    .digest('hex')
}

/**
 * Answers a call under its Idempotency-Key: the first one does the work and keeps the answer in the same transaction, a later one gets
 * that answer, one that comes while the first is at work is 409. Answers of 2xx and refusals by a rule (not 5xx, not 401) are kept.
 */
export async function answerOnce<DB>(
  db: Kysely<DB>,
  options: { table: string; owner: number; key: string; call: Call<unknown>; format: ResponseFormat },
  work: (db: Transaction<DB>) => Promise<unknown>,
): Promise<ServedAnswer> {
  const { owner, key, call, format } = options
  if (key === '' || key.length > 255) throw invalidField('Idempotency-Key', 'Expected 1 to 255 characters')
  const table = sql.table(options.table)
  const operation = call.operation.id
  const hash = hashOf(call)
  const lock = `${options.table}/${owner}/${operation}/${key}`
  return await transaction(db, async (trx) => {
    const claimed = await sql<{
      ok: boolean
    }>`select pg_try_advisory_xact_lock(hashtextextended(${lock}, 0)) as ok`.execute(trx)
    if (!claimed.rows[0]?.ok)
      throw new Refusal(409, 'A call with this Idempotency-Key is at work; ask again when it is done')
    const found = await sql<{ request_hash: string; status: number; body: string }>`
      select request_hash, status, body from ${table}
      where project_id = ${owner} and operation = ${operation} and key = ${key}
        and created_at > clock_timestamp() - make_interval(hours => ${IDEMPOTENCY_HOURS})`.execute(trx)
    const kept = found.rows[0]
    if (kept) {
      if (kept.request_hash !== hash)
        throw new Refusal(409, 'This Idempotency-Key was used for another request')
      return { kept: { status: kept.status, body: kept.body } }
    }
    let status = 200
    let body: string
    try {
      const data = await transaction(trx, work)
      body = JSON.stringify(format.success(data, call.operation))
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error
      status = error.status
      body = JSON.stringify(format.failure(error, call.operation))
    }
    await sql`
      insert into ${table} (project_id, operation, key, request_hash, status, body)
      values (${owner}, ${operation}, ${key}, ${hash}, ${status}, ${body})
      on conflict (project_id, operation, key) do update
        set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = clock_timestamp()`.execute(
      trx,
    )
    return { kept: { status, body } }
  })
}
