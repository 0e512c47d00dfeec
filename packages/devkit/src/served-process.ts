/** A message of a process of a pool to its parent. */
export type Message = { readonly loaded: true } | { readonly url: string }

interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

function send(message: Message): void {
  process.send?.(message)
}

function fail(error: unknown): never {
  console.error(error)
  process.exit(1)
}

/** Runs this process as one of a pool: it is loaded now, and serves when its parent sends orders. */
export function runOrders<Orders>(serve: (orders: Orders) => Promise<RunningServer>): void {
  // This process does not outlive its parent.
  process.once('disconnect', () => process.exit(1))
  process.once('message', (orders: Orders) => {
    serve(orders).then((server) => {
      process.once('SIGTERM', () => server.close().then(() => process.exit(0), fail))
      send({ url: server.url })
    }, fail)
  })
  send({ loaded: true })
}
