import { operatorHealth, operatorLedger } from '@mintmark/facilitator/operator'
import { createFieldError, plainFormat, type ServeOptions, serveOperations } from '@mintmark/server-kit'
import { Hono } from 'hono'
import { operatorAccountRoutes } from './account-handlers.ts'
import { operatorChannelRoutes } from './channel-handlers.ts'
import { operatorGrantRoutes } from './grant-handlers.ts'
import {
  createOperatorAuthentication,
  type OperatorAuthenticationOptions,
  type OperatorCaller,
} from './operator-access.ts'
import { implement, type OperatorContext, type OperatorPort } from './operator-context.ts'
import { operatorRuleResponses } from './rule-responses.ts'
import { operatorSettlementRoutes } from './settlement-handlers.ts'

/** The paths of the operator interface. */
export const OPERATOR_PATHS = '/operator/*'

const MAX_IDEMPOTENCY_KEY_LENGTH = 255

const healthRoutes = [
  ...implement(operatorHealth, { get: async (_, { port }) => await port.readHealth() }),
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
  'log' | 'metrics' | 'trustedProxyHops' | 'tracing'
>

/** Creates the application of the operator interface. It has its own token and no CORS, and accepts no key of an account. */
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
    rules: operatorRuleResponses,
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
