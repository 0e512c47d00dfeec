import type { OperationShape, Service } from '@mintmark/operation'

/**
 * An operation of the gateway, or for operators of the facilitator that it is connected to, with its types.
 */
export type ConsoleOperation<S extends Service = Service> = OperationShape & {
  readonly service: S
  readonly '~types'?: { input: unknown; data: unknown; errors: unknown }
}
/** An operation of the gateway, with its types. */
export type GatewayOperation = ConsoleOperation<'gateway'>
