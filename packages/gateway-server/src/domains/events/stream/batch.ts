import type { GatewayEvent } from '@mintmark/events'

/** Where the message of an event is in the bytes of its batch. */
interface Part {
  readonly sequence: number
  readonly type: string
  readonly start: number
  readonly end: number
}

/** The types of events that a reader receives. Readers with the same key receive the same. */
export interface TypeFilter {
  readonly key: string
  /** Undefined: all types. */
  readonly types: readonly string[] | undefined
}

/**
 * The events of a project after one place in the feed up to another, as server-sent events. Readers share its
 * bytes.
 */
export class Batch {
  /** The place before the first event. */
  readonly after: number
  /** The place up to which the batch has all events. */
  readonly upTo: number
  readonly #bytes: Buffer
  readonly #parts: readonly Part[]
  /** The messages for readers that begin at `after`, by the key of their filter. */
  readonly #filtered = new Map<string, Buffer>()

  constructor(after: number, upTo: number, events: readonly GatewayEvent[]) {
    this.after = after
    this.upTo = upTo
    const messages = events.map(formatMessage)
    let end = 0
    this.#parts = events.map(({ sequence, type }, index) => {
      const start = end
      end += messages[index]?.length ?? 0
      return { sequence, type, start, end }
    })
    this.#bytes = Buffer.concat(messages)
  }

  get size(): number {
    return this.#bytes.length
  }

  /** Returns the messages of the events after `position` that match the filter. Empty if there are none. */
  getMessages(position: number, filter: TypeFilter): Buffer {
    if (position > this.after) return this.#select(position, filter)
    const known = this.#filtered.get(filter.key)
    if (known !== undefined) return known
    const messages = this.#select(position, filter)
    this.#filtered.set(filter.key, messages)
    return messages
  }

  #select(position: number, { types }: TypeFilter): Buffer {
    if (types === undefined) {
      const first = this.#parts.find(({ sequence }) => sequence > position)
      return this.#bytes.subarray(first?.start ?? this.#bytes.length)
    }
    const parts = this.#parts.filter(({ sequence, type }) => sequence > position && types.includes(type))
    return Buffer.concat(parts.map(({ start, end }) => this.#bytes.subarray(start, end)))
  }
}

/** Formats an event as a server-sent event. JSON has no line breaks. */
function formatMessage(event: GatewayEvent): Buffer {
  return Buffer.from(`id: ${event.sequence}\ndata: ${JSON.stringify(event)}\n\n`)
}
