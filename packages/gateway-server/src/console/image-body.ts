/**
 * Creates the body of a response, of which a block is sent when the client has read those before. Calls
 * `onEnd` once the body was sent, the client closed the connection, or the time is over; then nothing of the
 * body is kept.
 */
export function createImageBody(
  blocks: readonly Uint8Array<ArrayBuffer>[],
  { timeoutMs, onEnd }: { readonly timeoutMs: number; readonly onEnd: () => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const unsent = [...blocks]
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(timer)
    unsent.length = 0
    onEnd()
  }
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start(controller) {
        timer = setTimeout(() => {
          end()
          controller.error(new Error('The client did not read the image in time'))
        }, timeoutMs)
        timer.unref()
      },
      pull(controller) {
        const block = unsent.shift()
        if (block !== undefined) return controller.enqueue(block)
        end()
        controller.close()
      },
      cancel: end,
    },
    // Nothing is pulled before the client reads.
    { highWaterMark: 0 },
  )
}
