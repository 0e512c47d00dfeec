import { events } from '@mintmark/events'
import type { GatewayClient } from '@mintmark/operation'
import { createClientFor } from '../client.ts'
import { type CommandEnvironment, write } from '../environment.ts'
import { toJsonLine, toSafeLine } from '../output/safe-text.ts'
import { chooseFormat } from '../output/writer.ts'
import { createSecret, type Forwarded, forwardEvent, toReceiverUrl } from './forward.ts'
import { findNewestEvent, type TailOptions } from './tail.ts'

/** The options of `mintmark listen`. */
export interface ListenOptions extends TailOptions {
  readonly forwardTo: string
  readonly types?: string | undefined
  /** Events after this number; default: the newest one. */
  readonly after?: number | undefined
  readonly secret?: string | undefined
}

interface SentEvent {
  readonly sequence: number
  readonly type: string
  readonly subject: string
}

function formatForwarded({ sequence, type, subject }: SentEvent, forwarded: Forwarded): string {
  const { status, failure = 'no response', milliseconds } = forwarded
  const outcome = status === undefined ? failure : String(status)
  const place = String(sequence).padStart(6)
  return `${place}  ${toSafeLine(type).padEnd(28)}  ${toSafeLine(subject).padEnd(20)}  ${toSafeLine(outcome)}  ${milliseconds} ms\n`
}

/**
 * Forwards the events of the gateway to a receiver until the person presses Ctrl-C. Continues after lost
 * connections.
 */
export async function listen(options: ListenOptions, environment: CommandEnvironment): Promise<void> {
  const { output, errors, signal } = environment
  const url = toReceiverUrl(options.forwardTo)
  const { client, target } = await createClientFor(events.stream, options, environment)
  // The operation belongs to the gateway, so its client does too.
  const gateway = client as GatewayClient
  const after = options.after ?? (await findNewestEvent(gateway, signal))
  const given = options.secret ?? environment.variables.MINTMARK_WEBHOOK_SECRET
  const secret = given ?? createSecret()
  await write(errors, `Events of ${target.baseUrl} after number ${after} go to ${url}\n`)
  // A given secret may be that of a webhook in use, and the output may be kept in a log.
  if (given === undefined) await write(errors, `Signing secret of your receiver: ${secret}\n`)
  const format = chooseFormat(options, environment)
  for await (const event of events.stream(gateway, { after, types: options.types, signal })) {
    const forwarded = await forwardEvent(event, url, secret, environment)
    const { id, sequence, type, subject } = event
    const line =
      format === 'table'
        ? formatForwarded(event, forwarded)
        : `${toJsonLine({ id, sequence, type, subject, ...forwarded })}\n`
    await write(output, line)
  }
}
