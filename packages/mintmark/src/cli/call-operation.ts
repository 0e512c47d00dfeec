import { isMintmarkError, type Page } from '@mintmark/envelope'
import type { CallOptions, CallResult, Client, OperationShape, Service } from '@mintmark/operation'
import { type CallSettings, createClientFor } from './client.ts'
import { formatRequest, prepareRequest } from './dry-run.ts'
import { type CommandEnvironment, write } from './environment.ts'
import { KINDS, UsageError } from './errors.ts'
import type { Input } from './input.ts'
import { parseChosenFields } from './output/chosen-fields.ts'
import { createProgress } from './output/progress.ts'
import { toJsonLine, toSafeLine } from './output/safe-text.ts'
import { chooseFormat, createWriter, type OutputFormat } from './output/writer.ts'

/** The options of a command that calls an operation. */
export interface CallCommandOptions extends CallSettings {
  readonly json?: boolean | undefined
  readonly output?: OutputFormat | undefined
  readonly all?: boolean | undefined
  /** The names of `--fields`, separated by commas. */
  readonly fields?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly idempotencyKey?: string | undefined
}

type ReadPages = (
  client: Client<Service>,
  input: Input,
  options: CallOptions,
) => AsyncGenerator<Page<unknown>, void, undefined>

/** Returns the function that iterates over the pages of a paged operation. */
function getPages(operation: OperationShape): ReadPages {
  const { pages } = operation as OperationShape & { readonly pages?: ReadPages }
  if (pages === undefined) throw new UsageError('--all: This operation returns no pages')
  return pages
}

/** Reads `--fields`, before anything is sent. */
function readChosenFields(
  operation: OperationShape,
  { fields, ...options }: CallCommandOptions,
  environment: CommandEnvironment,
): string[] | undefined {
  if (fields === undefined) return undefined
  if (chooseFormat(options, environment) === 'raw') {
    throw new UsageError('--fields: The output raw has all fields. Use --output json')
  }
  return parseChosenFields(operation, fields)
}

async function writeAllPages(
  operation: OperationShape,
  input: Input,
  options: CallCommandOptions,
  fields: string[] | undefined,
  environment: CommandEnvironment,
): Promise<void> {
  const { client } = await createClientFor(operation, options, environment)
  const format = chooseFormat(options, environment)
  const writer = await createWriter(operation, format, environment, fields)
  const progress = createProgress('pages', 0, format, environment)
  // A table has one header and columns that fit all rows, so it is written at the end.
  const collected: unknown[] = []
  let last: Page<unknown> | undefined
  try {
    for await (const page of getPages(operation)(client, input, { signal: environment.signal })) {
      await progress.show(page.pageNumber, page.totalPage)
      last = page
      if (format === 'table') collected.push(...page.list)
      else await writer.write(page)
    }
  } finally {
    await progress.clear()
  }
  if (format === 'table') await writer.write({ ...last, list: collected, totalPage: 1 })
}

/** Sends a call. Says how to repeat a write that the person interrupts. */
async function callService(
  client: Client<Service>,
  operation: OperationShape,
  input: Input,
  options: CallCommandOptions,
  { signal, errors }: CommandEnvironment,
): Promise<CallResult> {
  // The key is created here, because an interruption would lose it.
  const idempotencyKey = options.idempotencyKey === 'auto' ? crypto.randomUUID() : options.idempotencyKey
  try {
    return await client.call(operation, input, { signal, idempotencyKey })
  } catch (error) {
    if (signal.aborted && operation.effect === 'write' && !operation.idempotent) {
      const advice =
        idempotencyKey === undefined
          ? KINDS.UnknownOutcome.advice
          : `The call may have taken effect. To repeat it without a second effect, add --idempotency-key ${toSafeLine(idempotencyKey)}`
      await write(errors, `${advice}\n`)
    }
    throw error
  }
}

const ACCEPTED = 'Not executed. The server has checked the call and would accept it.\n'
const NOT_CHECKED = 'Not executed. The fields were checked here; whether the server accepts them was not.\n'

/**
 * Asks the gateway whether it would accept a write, which it does not execute. Returns false if it cannot tell.
 *
 * @throws the error that the call would end with.
 */
async function validate(
  operation: OperationShape,
  input: Input,
  options: CallCommandOptions,
  environment: CommandEnvironment,
): Promise<boolean> {
  if (operation.service !== 'gateway' || operation.effect !== 'write') return false
  const { client } = await createClientFor(operation, { ...options, validates: true }, environment)
  try {
    await client.call(operation, input, { signal: environment.signal })
    return true
  } catch (error) {
    // Permissions to mint, keys and webhooks are not validated.
    if (isMintmarkError(error) && error.message.includes('No operation has this path')) return false
    throw error
  }
}

/** Calls an operation and writes its result. */
export async function callOperation(
  operation: OperationShape,
  input: Input,
  options: CallCommandOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const fields = readChosenFields(operation, options, environment)
  if (options.dryRun) {
    const request = await prepareRequest(operation, input, options, environment)
    const isTable = chooseFormat(options, environment) === 'table'
    await write(environment.output, isTable ? formatRequest(request) : `${toJsonLine(request)}\n`)
    const isAccepted = await validate(operation, input, options, environment)
    return await write(environment.errors, isAccepted ? ACCEPTED : NOT_CHECKED)
  }
  if (options.all) return await writeAllPages(operation, input, options, fields, environment)
  const { client } = await createClientFor(operation, options, environment)
  const { data } = await callService(client, operation, input, options, environment)
  const writer = await createWriter(operation, chooseFormat(options, environment), environment, fields)
  if (data === undefined) return
  await writer.write(data)
}
