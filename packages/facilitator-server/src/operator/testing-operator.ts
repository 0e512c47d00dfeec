import { type CallOptions, createFacilitator, type FacilitatorClient } from '@mintmark/transport'
import { ACTOR_HEADER } from './operator-access.ts'

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
