import type { AnyOperation, DataOf, InputOf } from '@mintmark/operation'
import {
  type Command,
  ConfigurationError,
  callOperation,
  HttpError,
  type OperationCaller,
  type Route,
} from '@mintmark/server-kit'
import { ACTOR_EXPECTED, isActor } from '../http/operator/operator-access.ts'
import type { OperatorContext } from '../http/operator/operator-context.ts'
import type { Operator } from '../ledger/accounts/accounts.ts'
import { print } from './command-database.ts'

/** Reads who runs the command, and why. */
function readOperator({ actor = '', reason = '' }: Options): Operator {
  if (!isActor(actor)) throw new ConfigurationError(`--actor: ${ACTOR_EXPECTED}`)
  if (reason.trim() === '') throw new ConfigurationError('--reason: Expected why this change is made')
  return { actor, reason }
}

type Options = Readonly<Record<string, string | undefined>>

/** What a command decides with. */
interface DecisionParts<Port> {
  readonly port: Port
  readonly operate: Operate
  readonly reason: string
}

/** What operators decide with the operations of some routes. */
export interface DecisionSource<Port> {
  readonly routes: readonly Route<OperatorContext<Port>>[]
  /** Opens the port for the time of the work. */
  open(work: (port: Port) => Promise<void>): Promise<void>
}

/**
 * Creates a command that decides something by an operation of the operator interface, and prints the result.
 *
 * @param prepare Reads the command's arguments and options, before anything is opened.
 */
export const createDecisionCommand = <Port>(
  { routes, open }: DecisionSource<Port>,
  command: Omit<Command, 'run'>,
  prepare: (given: readonly string[], options: Options) => (parts: DecisionParts<Port>) => Promise<unknown>,
): Command => ({
  ...command,
  options: { ...command.options, actor: 'who', reason: 'why' },
  async run({ arguments: given, options }) {
    const decideBy = prepare(given, options)
    const operator = readOperator(options)
    await open(async (port) => {
      const operate = createOperate(routes, port, operator)
      print(await decideBy({ port, operate, reason: operator.reason }))
    })
  },
})

/** Calls an operation of the operator interface. */
type Operate = <O extends AnyOperation>(operation: O, input: InputOf<O>) => Promise<DataOf<O>>

/**
 * Creates the calls of operations by a command. They have the rules of the operator interface, and record its
 * decisions in the same transaction as their effects.
 */
function createOperate<Port>(
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
