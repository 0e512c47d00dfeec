import * as operatorInterface from '@mintmark/facilitator/operator'
import type { OperationShape } from '@mintmark/operation'
import {
  type Call,
  HttpError,
  plainFormat,
  type Route,
  type ServeOptions,
  serveOperations,
  type UnauthenticatedCall,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import type { Caller } from '../http/authentication.ts'
import { SESSION_HEADER } from '../http/session-authentication.ts'
import type { FacilitatorSettings } from './facilitator-settings.ts'
import { sendToFacilitator } from './send-to-facilitator.ts'

/** The paths of the facilitator's operator interface begin with this at the gateway. */
const PREFIX = '/facilitator'

export interface FacilitatorAppOptions
  extends Pick<
    ServeOptions<Caller, object>,
    'authenticate' | 'publicUrl' | 'log' | 'metrics' | 'trustedProxyHops' | 'tracing'
  > {
  readonly facilitator: FacilitatorSettings
  /** Milliseconds. */
  readonly timeoutMs?: number | undefined
}

/**
 * Forwards the operations of the facilitator's operator interface, for people who operate this server and are
 * signed in to the console. Only operations that this version knows are forwarded, with the input that was
 * checked.
 *
 * @param options.authenticate The authentication of sessions.
 */
export function addFacilitatorInterface(app: Hono, options: FacilitatorAppOptions): void {
  const { facilitator, authenticate, timeoutMs, ...shared } = options
  const interfaceApp = new Hono()
  serveOperations<Caller, object>(interfaceApp, {
    ...shared,
    routes,
    format: plainFormat,
    async authenticate(call) {
      if (call.header(SESSION_HEADER) === undefined)
        throw new HttpError(401, 'Only people who are signed in to the console operate the facilitator')
      refuseOtherContent(call)
      return await authenticate(call)
    },
    async run(call, _, response) {
      const { retryAfter, ...stored } = await sendToFacilitator(facilitator, toForwarded(call), timeoutMs)
      if (retryAfter !== undefined) response.headers.set('retry-after', retryAfter)
      return { stored }
    },
  })
  app.all(`${PREFIX}/operator/*`, (context) => interfaceApp.fetch(context.req.raw, context.env))
}

/** The groups of operations of the interface. */
const routes: readonly Route<object>[] = Object.values(operatorInterface)
  .flatMap((group) => Object.values(group))
  .filter(isOperation)
  .map((operation) => ({
    operation: { ...operation, path: `${PREFIX}${operation.path}` },
    handle: refuseToHandle,
  }))

/** Groups also export the schemas of their records. */
function isOperation(member: unknown): member is OperationShape {
  return typeof member === 'function' && 'id' in member && 'path' in member
}

function refuseToHandle(): never {
  throw new Error('Operations of the facilitator are forwarded')
}

/** A form of another website cannot have this content type without the permission of a preflight. */
function refuseOtherContent({ method, header }: UnauthenticatedCall): void {
  const type = header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (method !== 'GET' && type !== 'application/json')
    throw new HttpError(415, 'Content-Type: expected application/json', { reason: 'InvalidInput' })
}

/**
 * Takes from a call only what the facilitator needs. The actor is the person of the session, whatever the
 * call's headers say.
 */
function toForwarded({ method, path, query, body, caller, header }: Call<Caller>) {
  return {
    method,
    query,
    path: path.slice(PREFIX.length),
    body: method === 'GET' ? undefined : body,
    actor: caller.actor,
    idempotencyKey: header('idempotency-key'),
  }
}
