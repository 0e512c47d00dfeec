import { ConflictError } from '@mintmark/envelope'
import { DECISION_REFUSED, operatorHealth, operatorLedger } from '@mintmark/facilitator/operator'
import {
  ConfigurationError,
  createFieldError,
  plainFormat,
  refusal,
  type ServeOptions,
  serveOperations,
} from '@mintmark/server-kit'
import { Hono } from 'hono'
import { operatorAccountRoutes } from './account-handlers.ts'
import { operatorChannelRoutes } from './channel-handlers.ts'
import { UsedKeyError } from './decisions.ts'
import { endSession } from './end-session.ts'
import { operatorGrantRoutes } from './grant-handlers.ts'
import {
  createOperatorAuthentication,
  type OperatorAuthenticationOptions,
  type OperatorCaller,
} from './operator-access.ts'
import { implement, type OperatorContext, type OperatorPort } from './operator-context.ts'
import { operatorSettlementRoutes } from './settlement-handlers.ts'

/** The paths of the operator interface. */
export const OPERATOR_PATHS = '/operator/*'

const MAX_IDEMPOTENCY_KEY_LENGTH = 255

const healthRoutes = [
  ...implement(operatorHealth, {
    get: async (_, { port }) => await port.readHealth(),

    async endSession(identity, { port, actor, idempotencyKey }) {
      try {
        return await endSession(port.owner, identity, { actor, idempotencyKey })
      } catch (error) {
        if (error instanceof UsedKeyError) throw refusal(ConflictError, error.message)
        if (error instanceof ConfigurationError) throw refusal(DECISION_REFUSED, error.message)
        throw error
      }
    },
  }),
  ...implement(operatorLedger, { check: async (_, { port }) => await port.checkLedger() }),
]

/** The operations of the operator interface with their handlers. */
const operatorRoutes = [
  ...operatorAccountRoutes,
  ...operatorSettlementRoutes,
  ...operatorGrantRoutes,
  ...operatorChannelRoutes,
  ...healthRoutes,
]

type Shared = Pick<
  ServeOptions<OperatorCaller, OperatorContext>,
  'publicUrl' | 'log' | 'metrics' | 'trustedProxyHops' | 'tracing'
>

/**
 * Creates the application of the operator interface. It has its own token and no CORS, and accepts no key of
 * an account.
 */
export function createOperatorApp(
  port: OperatorPort,
  access: OperatorAuthenticationOptions,
  shared: Shared,
): Hono {
  const app = new Hono()
  serveOperations<OperatorCaller, OperatorContext>(app, {
    ...shared,
    routes: operatorRoutes,
    format: plainFormat,
    authenticate: createOperatorAuthentication(access),
    async run(call, handle) {
      const idempotencyKey = call.header('idempotency-key')
      if (idempotencyKey !== undefined && !isValidKey(idempotencyKey))
        throw createFieldError('Idempotency-Key', `Expected 1 to ${MAX_IDEMPOTENCY_KEY_LENGTH} characters`)
      return { data: await handle({ port, actor: call.caller.actor, idempotencyKey }) }
    },
  })
  return app
}

const isValidKey = ({ length }: string) => length >= 1 && length <= MAX_IDEMPOTENCY_KEY_LENGTH
