import type { AnyOperation, DataOf, InputOf } from '@mintmark/operation'
import {
  ConfigurationError,
  callOperation,
  HttpError,
  type OperationCaller,
  type Route,
} from '@mintmark/server-kit'
import { ACTOR_EXPECTED, isActor } from '../http/operator/operator-access.ts'
import type { OperatorContext } from '../http/operator/operator-context.ts'
import type { Operator } from '../ledger/accounts/accounts.ts'

/** The options of every command that decides something. */
export const OPERATOR_OPTIONS = { actor: 'who', reason: 'why' }

/** Reads who runs the command, and why. */
export function readOperator({ actor = '', reason = '' }: Record<string, string | undefined>): Operator {
  if (!isActor(actor)) throw new ConfigurationError(`--actor: ${ACTOR_EXPECTED}`)
  if (reason.trim() === '') throw new ConfigurationError('--reason: Expected why this change is made')
  return { actor, reason }
}

/** Calls an operation of the operator interface. */
export type Operate = <O extends AnyOperation>(operation: O, input: InputOf<O>) => Promise<DataOf<O>>

/**
 * Creates the calls of operations by a command. They have the rules of the operator interface, and record its
 * decisions in the same transaction as their effects.
 */
export function createOperate<Port>(
  routes: readonly Route<OperatorContext<Port>>[],
  port: Port,
  { actor }: Operator,
): Operate {
  const caller: OperationCaller<OperatorContext<Port>> = {
    routes,
    context: { port, actor, idempotencyKey: undefined },
  }
  return async (operation, input) => {
    try {
      return await callOperation(caller, operation, input)
    } catch (error) {
      // An error in the arguments, not in the program.
      if (error instanceof HttpError && error.status < 500) throw new ConfigurationError(error.message)
      throw error
    }
  }
}
