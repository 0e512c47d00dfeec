import { events, type GatewayEvent } from '@mintmark/events'
import type { GatewayClient, OperationShape } from '@mintmark/operation'
import { type CallSettings, createClientFor } from '../client.ts'
import { type CommandEnvironment, write } from '../environment.ts'
import type { Input } from '../input.ts'
import { toJsonLine, toSafeLine } from '../output/safe-text.ts'
import { chooseFormat, type OutputFormat } from '../output/writer.ts'

/** The options of a command that shows events. */
export interface TailOptions extends CallSettings {
  readonly json?: boolean | undefined
  readonly output?: OutputFormat | undefined
}

/** Finds the number of the newest event, so that a stream can begin after it. */
export async function findNewestEvent(client: GatewayClient, signal: AbortSignal): Promise<number> {
  const { newest } = await events.list(client, { limit: 1 }, { signal })
  return newest
}

function formatEvent({ time, type, subject, sequence }: GatewayEvent): string {
  return `${String(sequence).padStart(6)}  ${time.slice(11, 19)}  ${toSafeLine(type).padEnd(28)}  ${toSafeLine(subject)}\n`
}

/** Writes events until the person presses Ctrl-C. */
async function writeEvents(
  gateway: GatewayClient,
  streamOptions: { readonly after?: number | undefined; readonly types?: string | undefined },
  options: TailOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const { output, signal } = environment
  const format = chooseFormat(options, environment)
  for await (const event of events.stream(gateway, { ...streamOptions, signal })) {
    await write(output, format === 'table' ? formatEvent(event) : `${toJsonLine(event)}\n`)
  }
}

/** Writes the stored events and then the new ones, as the operation `events.stream` sends them. */
export async function writeStream(
  operation: OperationShape,
  input: Input,
  options: TailOptions,
  environment: CommandEnvironment,
): Promise<void> {
  const { client } = await createClientFor(operation, options, environment)
  // The only stream is that of the gateway's events, and the input has its fields.
  const streamOptions = input as { readonly after?: number; readonly types?: string }
  await writeEvents(client as GatewayClient, streamOptions, options, environment)
}

/** Writes the events that happen from now on. */
export async function tail(
  options: TailOptions & { readonly types?: string | undefined; readonly after?: number | undefined },
  environment: CommandEnvironment,
): Promise<void> {
  const { client } = await createClientFor(events.stream, options, environment)
  // The operation belongs to the gateway, so its client does too.
  const gateway = client as GatewayClient
  const after = options.after ?? (await findNewestEvent(gateway, environment.signal))
  if (environment.output.isTTY === true) {
    await write(environment.errors, `Waiting for events after event ${after}. End with Ctrl-C.\n`)
  }
  await writeEvents(gateway, { after, types: options.types }, options, environment)
}
