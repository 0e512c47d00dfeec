import { devAccounts } from '@mintmark/devkit/chain/accounts'
import { facilitatorSchema, migrateJobs, type Tables } from '@mintmark/facilitator-server'
import { type Database, migrate, openDatabase } from '@mintmark/server-kit'
import { signedBody } from '../../packages/facilitator-server/src/payments/testing.ts'
import { type TestAccount, testAccount } from '../../packages/facilitator-server/src/testing.ts'

/** Settles that an account can pay for: more than any run makes. */
const MANY = 100_000_000

/** Makes the facilitator's tables. */
export async function prepareFacilitator(url: string): Promise<void> {
  await migrate(url, facilitatorSchema)
  await migrateJobs(url)
}

/** The facilitator's database, as its server opens it. */
export function openFacilitator(url: string): Database<Tables> {
  return openDatabase<Tables>({ url, role: facilitatorSchema.role, max: 20 })
}

/** An account with a key, and with balance and quota that no run uses up. */
export function richAccount({ system }: Database<Tables>): Promise<TestAccount> {
  return testAccount(system, { settles: MANY })
}

/** Bodies of verify or settle, each signed by one of the dev chain's accounts under a nonce of its own. */
export async function signedBodies(count: number): Promise<object[]> {
  const bodies: object[] = []
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + 24 * 3600)
  while (bodies.length < count) {
    for (const account of devAccounts) bodies.push(await signedBody({ account, validBefore }))
  }
  return bodies.slice(0, count)
}
