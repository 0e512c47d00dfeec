/** What a block of a stream of server-sent events contains. */
export interface Message {
  /** The position after this message. Undefined: as before. */
  readonly id: string | undefined
  /** Undefined: the message only moves the position or sets `retryMs`. */
  readonly data: string | undefined
  /** How long to wait before a lost connection is opened again. */
  readonly retryMs: number | undefined
}

interface MutableMessage {
  id?: string
  data?: string
  retryMs?: number
}

/**
 * Parses the text of a stream, which can be cut anywhere, into complete messages. A message without its end
 * is dropped.
 */
export function createMessageParser(): (text: string) => Message[] {
  let line = ''
  let endedWithReturn = false
  let message: MutableMessage = {}

  return (text) => {
    if (text === '') return []
    const messages: Message[] = []
    // A carriage return and a line feed are one end of a line, also if the text was cut between them.
    const lines = (endedWithReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\n|\r/)
    endedWithReturn = text.endsWith('\r')
    for (const [index, part] of lines.entries()) {
      line += part
      if (index === lines.length - 1) break
      if (line === '') {
        const { id, data, retryMs } = message
        messages.push({ id, data, retryMs })
        message = {}
      } else {
        addField(message, line)
      }
      line = ''
    }
    return messages
  }
}

/** Adds a line to a message. A line that begins with a colon is a comment. */
function addField(message: MutableMessage, line: string): void {
  const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
  if (name === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`
  if (name === 'id' && !value.includes('\0')) message.id = value
  if (name === 'retry' && /^\d+$/.test(value)) message.retryMs = Number(value)
}

/**
 * Reads the messages of a response. Ends with the response, when the connection is lost, when nothing arrives
 * for `silenceMs`, and when the signal is aborted. The connection is closed when the caller stops reading.
 */
export async function* readMessages(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Message, void, undefined> {
  const reader = body.getReader()
  // A stream that has failed cannot be cancelled, and does not have to be.
  const cancel = () => void reader.cancel().catch(() => {})
  signal?.addEventListener('abort', cancel)
  const decoder = new TextDecoder()
  const parse = createMessageParser()
  try {
    for (;;) {
      const timer = setTimeout(cancel, silenceMs)
      // The caller resumes after a lost connection as after one that the server has closed.
      const chunk = await reader.read().catch(() => undefined)
      clearTimeout(timer)
      if (chunk?.value === undefined) return
      yield* parse(decoder.decode(chunk.value, { stream: true }))
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    cancel()
  }
}
