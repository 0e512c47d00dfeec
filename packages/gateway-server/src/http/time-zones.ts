import { isDatabaseError, type Refuse } from '@mintmark/server-kit'
import { sql } from 'kysely'
import type { Tenant } from '../database/tenant.ts'

/** PostgreSQL's SQLSTATE for a time zone that it does not know. */
const INVALID_PARAMETER = '22023'

/** Refuses the name of a time zone that JavaScript or PostgreSQL does not know. Undefined is valid. */
export async function checkTimeZone(
  timeZone: string | undefined,
  { tenant, invalid }: Refuse & { readonly tenant: Tenant },
): Promise<void> {
  if (timeZone === undefined) return
  const refuse = () => invalid('timeZone', 'Expected an IANA time zone such as Europe/Berlin')
  if (!isTimeZone(timeZone)) return refuse()
  await tenant
    .transaction((trx) => sql`select clock_timestamp() at time zone ${timeZone}::text`.execute(trx))
    .catch((error: unknown) => {
      if (isDatabaseError(error) && error.code === INVALID_PARAMETER) return refuse()
      throw error
    })
}

/**
 * Whether JavaScript knows a time zone by its name. PostgreSQL also takes texts that name none, such as `Mars5`, and
 * reads the sign of an offset such as `+05:30` the other way around.
 */
function isTimeZone(name: string): boolean {
  if (!/^[a-z]/i.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
