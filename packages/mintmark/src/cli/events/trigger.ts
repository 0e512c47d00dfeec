import { eventTypes } from '@mintmark/events'
import { toPlainText } from '../descriptions.ts'
import { type CommandEnvironment, write } from '../environment.ts'
import { CommandStatusError, ExitCode, UsageError } from '../errors.ts'
import { isRecord } from '../output/rows.ts'
import { toJsonLine } from '../output/safe-text.ts'
import { createSample } from '../sample-values.ts'
import { listIssues } from '../schema-issues.ts'
import { createSecret, forwardEvent, isAccepted, toReceiverUrl } from './forward.ts'

/** The options of `mintmark trigger`. */
export interface TriggerOptions {
  readonly forwardTo?: string | undefined
  /** JSON with fields of the event's data. */
  readonly data?: string | undefined
  readonly secret?: string | undefined
}

const EVENT_TYPES = Object.keys(eventTypes)

function findEventType(type: string) {
  const found = Object.entries(eventTypes).find(([name]) => name === type)
  if (found !== undefined) return found[1]
  const [kind] = type.split('.')
  const similar = EVENT_TYPES.filter((name) => name.startsWith(`${kind}.`))
  const advice = similar.length > 0 ? similar.join(', ') : '`mintmark trigger list` lists all'
  throw new UsageError(`There is no event of the type ${type}. Types: ${advice}`)
}

function parseData(text: string | undefined): object {
  if (text === undefined) return {}
  try {
    const data: unknown = JSON.parse(text)
    if (isRecord(data)) return data
  } catch {
    // Reported below, like JSON that is no object.
  }
  throw new UsageError('--data: Expected a JSON object with fields of the event')
}

/** Finds the id in the data of an event: its own, or that of the record in it. */
function findId(data: object): unknown {
  if ('id' in data) return data.id
  const record = Object.values(data).find((value) => isRecord(value) && 'id' in value)
  return isRecord(record) ? record.id : undefined
}

/** Creates an event of a type, with data that its schema accepts. */
export function createSampleEvent(type: string, fields: object = {}) {
  const { data: schema } = findEventType(type)
  const data = { ...(createSample(schema) as object), ...fields }
  const issues = listIssues(schema, data)
  if (issues.length > 0) {
    const list = issues.map(({ path, message }) => `${path}: ${message}`).join('; ')
    throw new UsageError(`--data: ${list}`)
  }
  return {
    id: `evt_${crypto.randomUUID()}`,
    type,
    subject: `${type.split('.')[0]}/${findId(data) ?? 1}`,
    sequence: 1,
    time: new Date().toISOString(),
    projectId: 1,
    apiVersion: '1',
    data,
  }
}

/** Prints every type of event with its meaning. */
export async function listTypes({ output }: CommandEnvironment): Promise<void> {
  const width = Math.max(...EVENT_TYPES.map((type) => type.length))
  const lines = Object.entries(eventTypes).map(
    ([type, { description }]) => `${type.padEnd(width)}  ${toPlainText(description)}\n`,
  )
  await write(output, lines.join(''))
}

/** Sends a sample event to a receiver, or prints it. */
export async function trigger(
  type: string,
  options: TriggerOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const event = createSampleEvent(type, parseData(options.data))
  const { output, errors } = environment
  if (options.forwardTo === undefined) {
    const text = output.isTTY ? JSON.stringify(event, null, 2) : toJsonLine(event)
    return await write(output, `${text}\n`)
  }
  const url = toReceiverUrl(options.forwardTo)
  const given = options.secret ?? environment.variables.MINTMARK_WEBHOOK_SECRET
  const secret = given ?? createSecret()
  if (given === undefined) await write(errors, `Signed with ${secret}. --secret signs with yours\n`)
  const forwarded = await forwardEvent(event, url, secret, environment)
  const { status, failure, milliseconds } = forwarded
  await write(output, `${type}  ${event.id}  ${status ?? failure}  ${milliseconds} ms\n`)
  if (!isAccepted(forwarded)) {
    throw new CommandStatusError(
      `The receiver did not accept the event: ${status ?? failure}`,
      ExitCode.Failure,
    )
  }
}
