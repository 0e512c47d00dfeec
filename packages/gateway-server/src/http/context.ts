import { createImplement, type FieldLimits, type Route } from '@mintmark/server-kit'
import type { Tenant } from '../database/tenant.ts'
import type { Caller } from './authentication.ts'
import { sharedLimits } from './field-limits.ts'

/** The connection of a call, for responses that take long. */
export interface CallerConnection {
  /** The Last-Event-ID header. */
  readonly lastEventId: string | undefined
  /** Whether the caller can still receive the response. */
  isConnected(): boolean
  disconnect(): void
}

/** What every handler gets, beside the ports of its domain. */
export interface GatewayContext {
  /**
   * The caller's project, with its connection or transaction: queries neither see nor write rows of other
   * projects.
   */
  tenant: Tenant
  caller: Caller
  connection: CallerConnection
}

/** Serves operations whose fields have the shared limits. */
export const implement = createImplement<GatewayContext>(sharedLimits)

/** Serves operations with limits for fields of their own, with the ports of their domain. */
export const implementWithLimits = <Ports = unknown>(limits: FieldLimits) =>
  createImplement<GatewayContext & Ports>({ ...sharedLimits, ...limits })

/** Creates the routes of a domain: its handlers get the ports in their context. */
export function withPorts<Ports extends object>(
  routes: readonly Route<GatewayContext & Ports>[],
  ports: Ports,
): readonly Route<GatewayContext>[] {
  return routes.map(({ prepare, handle, ...route }) => ({
    ...route,
    prepare: prepare && ((input, context) => prepare(input, { ...context, ...ports })),
    handle: (input, context, prepared) => handle(input, { ...context, ...ports }, prepared),
  }))
}
