import { operatorAccounts } from '@mintmark/facilitator/operator'
import { type CallOptions, createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { ACTOR_HEADER, type OperatorCall } from './operator-access.ts'

/** The token of the operator interface in tests. */
export const OPERATOR_TOKEN = 'operator-token-of-the-tests-0123456789'

/** Creates a client of the operator interface. */
export const operatorClient = (url: string, token: string = OPERATOR_TOKEN): FacilitatorClient =>
  createFacilitator({ baseUrl: url, retries: 0, credentials: { token } })

/** Names the operator who makes a change. */
export const by = (actor: string, more: CallOptions = {}): CallOptions => ({
  ...more,
  headers: { [ACTOR_HEADER]: actor },
})

/**
 * Creates a call that changes something, with the right token, as it arrives with these headers from an
 * address.
 */
export function operatorCall(
  headers: Readonly<Record<string, string>> = {},
  remoteAddress = '127.0.0.1',
): OperatorCall {
  const received: Readonly<Record<string, string>> = {
    authorization: `Bearer ${OPERATOR_TOKEN}`,
    [ACTOR_HEADER]: 'alice',
    ...headers,
  }
  return {
    operation: operatorAccounts.freeze,
    header: (name) => received[name],
    remoteAddress,
    setHeader() {},
  }
}
