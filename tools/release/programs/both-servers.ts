// A program that is both servers in its own process, as the packages let one. It is compiled against their
// tarballs, and not run.

import type { Tables as FacilitatorTables } from '@mintmark/facilitator-server'
import { createAccount, createKey, facilitatorSchema, startFacilitator } from '@mintmark/facilitator-server'
import type { GatewayDatabase } from '@mintmark/gateway-server'
import {
  createGatewayApp,
  findLiveKey,
  gatewaySchema,
  type RunningGateway,
  startGateway,
} from '@mintmark/gateway-server'
import { createImplement, type Database, openDatabase, readEnvironment } from '@mintmark/server-kit'

const env = readEnvironment({ GATEWAY_PORT: '0', FACILITATOR_PORT: '0' })
const gateway: RunningGateway = await startGateway(env)
const facilitator = await startFacilitator(env)
console.log(gateway.url, facilitator.url, gatewaySchema.schema, facilitatorSchema.schema)

// The drivers' types come along: what they name is not `any`.
const database: Database<FacilitatorTables> = openDatabase<FacilitatorTables>({ url: 'postgres://localhost' })
const idle: number = database.pool.idleCount
// @ts-expect-error a pool has no such count
database.pool.busyCount
// @ts-expect-error a table that the facilitator does not have
database.system.selectFrom('facilitator.prints')
const account = await createAccount(database.system, { payer: '0x', name: `one of ${idle}` })
const { token } = await createKey(database.system, { account: account.id })

/** What an application of its own is made of. */
export type GatewayParts = Parameters<typeof createGatewayApp>[0]
export const handlersOf = createImplement<{ database: GatewayDatabase }>()
export { createGatewayApp, findLiveKey, token }
