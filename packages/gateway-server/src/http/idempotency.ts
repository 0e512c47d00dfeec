import { createHash } from 'node:crypto'
import { IDEMPOTENCY_KEY_REUSED } from '@mintmark/envelope'
import {
  type Call,
  createFieldError,
  type HandlerResult,
  HttpError,
  type ResponseFormat,
  refusal,
  type StoredResponse,
  transaction,
} from '@mintmark/server-kit'
import { type Kysely, sql, type Transaction } from 'kysely'

/** How long a response is stored under its key. */
export const IDEMPOTENCY_HOURS = 24

/** Hashes a request, to refuse a different request under the same key. */
function hashRequest(call: Call<unknown>, caller: string): string {
  return createHash('sha256')
    .update(caller === '' ? '' : `${caller}\n`)
    .update(`${call.method}\n${call.path}\n${call.query}\n`)
    .update(call.body)
    .digest('hex')
}

/** Encrypts the stored response of an operation that returns a secret. */
export interface ResponseCipher {
  seal(body: string): string
  open(sealed: string): string
}

/**
 * Runs a call once per Idempotency-Key. The first call stores its response in the transaction of its work,
 * and later calls get the stored response. A call that arrives while the first is in progress ends with 409.
 * Stores successes and errors below 500. A call that is not authenticated does not get here.
 *
 * A refusal is stored together with what the work wrote before it, as it would be without a key. Only a
 * `transaction` of the work is rolled back by a refusal that is thrown in it. A statement whose error becomes
 * a refusal runs in such a transaction: otherwise nothing can be stored after it, and the call ends with 500.
 */
export async function runIdempotently<DB>(
  db: Kysely<DB>,
  options: {
    table: string
    owner: number
    /**
     * Distinguishes callers of one owner whose responses differ: the request of another caller is another
     * request. Default: ''.
     */
    caller?: string
    key: string
    call: Call<unknown>
    format: ResponseFormat
    /** Default: the response is stored as it is. */
    cipher?: ResponseCipher | undefined
    /**
     * Runs before the transaction, unless a response is stored. Its refusal is stored as one of the work.
     */
    prepare?: (() => Promise<unknown>) | undefined
  },
  work: (db: Transaction<DB>, prepared: Promise<unknown> | undefined) => Promise<unknown>,
): Promise<HandlerResult> {
  const { owner, caller = '', key, call, format, cipher, prepare } = options
  if (key === '' || key.length > 255)
    throw createFieldError('Idempotency-Key', 'Expected 1 to 255 characters')
  const table = sql.table(options.table)
  const operation = call.operation.id
  const hash = hashRequest(call, caller)
  const lock = `${options.table}/${owner}/${operation}/${key}`
  const findStored = async (connection: Kysely<DB>): Promise<HandlerResult | undefined> => {
    const { rows } = await sql<{ request_hash: string; status: number; body: string }>`
      select request_hash, status, body from ${table}
      where project_id = ${owner} and operation = ${operation} and key = ${key}
        and created_at > clock_timestamp() - make_interval(hours => ${IDEMPOTENCY_HOURS})`.execute(connection)
    const [earlier] = rows
    if (earlier === undefined) return undefined
    if (earlier.request_hash !== hash) throw refusal(IDEMPOTENCY_KEY_REUSED)
    return { stored: { status: earlier.status, body: cipher?.open(earlier.body) ?? earlier.body } }
  }
  const found = prepare && (await findStored(db))
  if (found !== undefined) return found
  const prepared = prepare?.()
  // The work awaits it, and so receives its error.
  await Promise.allSettled([prepared])
  return await transaction(db, async (trx) => {
    if (!(await tryLock(trx, lock))) {
      throw new HttpError(409, 'A request with this Idempotency-Key is still in progress. Retry later')
    }
    const earlier = await findStored(trx)
    if (earlier !== undefined) return earlier
    const { status, body } = await runWork(trx, call, format, (inner) => work(inner, prepared))
    await sql`
      insert into ${table} (project_id, operation, key, request_hash, status, body)
      values (${owner}, ${operation}, ${key}, ${hash}, ${status}, ${cipher?.seal(body) ?? body})
      on conflict (project_id, operation, key) do update
        set request_hash = excluded.request_hash, status = excluded.status, body = excluded.body, created_at = clock_timestamp()`.execute(
      trx,
    )
    return { stored: { status, body } }
  })
}

async function tryLock<DB>(db: Transaction<DB>, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(db)
  return rows[0]?.locked === true
}

/** Runs the work, and formats its data or its refusal. Throws errors of the server. */
async function runWork<DB>(
  db: Transaction<DB>,
  { operation }: Call<unknown>,
  format: ResponseFormat,
  work: (db: Transaction<DB>) => Promise<unknown>,
): Promise<StoredResponse> {
  try {
    const data = await work(db)
    return { status: 200, body: JSON.stringify(format.success(data, operation)) }
  } catch (error) {
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    return { status: error.status, body: JSON.stringify(format.failure(error, operation)) }
  }
}
