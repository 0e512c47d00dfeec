import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'

/** The part of `@hono/node-server`'s bindings that is used here. Absent when an application is called without a server. */
interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

/** Reads the remote address of a call, and tracks when its response has been sent. */
export function trackConnection(context: HonoContext, trustedProxyHops: number) {
  // Without a server, `env` is undefined.
  const { incoming, outgoing } = (context.env ?? {}) as NodeBindings
  let listeners: (() => void)[] | undefined
  const end = () => {
    const ended = listeners ?? []
    listeners = undefined
    for (const listener of ended) listener()
  }
  const forwarded = trustedProxyHops === 0 ? undefined : context.req.header('x-forwarded-for')
  return {
    // A call that bypassed the proxies has the address of its connection.
    remoteAddress: forwarded?.split(',').at(-trustedProxyHops)?.trim() ?? incoming?.socket.remoteAddress,
    onEnd(listener: () => void) {
      listeners ??= []
      listeners.push(listener)
    },
    /** Runs the listeners once the response was sent. Until then a caller that reads slowly still counts as a concurrent call. */
    finish() {
      if (listeners === undefined) return
      if (outgoing === undefined || outgoing.destroyed) end()
      else outgoing.once('close', end)
    },
    /** Closes the connection, whatever was sent. */
    disconnect() {
      outgoing?.destroy()
    },
  }
}
