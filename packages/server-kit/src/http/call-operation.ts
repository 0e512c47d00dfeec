import type { AnyOperation, DataOf, InputOf } from '@mintmark/operation'
import { createLimitCheck } from './field-limits.ts'
import { createRefuse, type Route } from './implement.ts'
import { validateInput } from './read-input.ts'

/** The routes of a server, and what its handlers get. */
export interface OperationCaller<Context> {
  readonly routes: readonly Route<Context>[]
  readonly context: Context
}

/**
 * Calls the handler of an operation in this process, with the checks that a call over HTTP has. Commands use
 * it, so that they follow the rules of the operations.
 *
 * @throws HttpError if the input is invalid or a rule refuses the call.
 */
export async function callOperation<O extends AnyOperation, Context extends object>(
  { routes, context }: OperationCaller<Context>,
  operation: O,
  input: InputOf<O>,
): Promise<DataOf<O>> {
  const route = routes.find((each) => each.operation.id === operation.id)
  if (route === undefined) throw new Error(`No route has the operation ${operation.id}`)
  const given: Record<string, unknown> = { ...(input as object) }
  validateInput(operation, given, createLimitCheck(operation, route.limits))
  // The schema was checked: the input has the type of the handler's operation.
  const bound = { ...context, ...createRefuse() }
  const prepared = await route.prepare?.(given as never, bound)
  return (await route.handle(given as never, bound, prepared as never)) as DataOf<O>
}
