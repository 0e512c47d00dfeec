import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context as HonoContext } from 'hono'

/**
 * The part of `@hono/node-server`'s bindings that is used here. Absent when an application is called without
 * a server.
 */
interface NodeBindings {
  readonly incoming?: IncomingMessage
  readonly outgoing?: ServerResponse
}

// Without a server, `env` is undefined.
const getBindings = ({ env }: HonoContext) => (env ?? {}) as NodeBindings

/**
 * Reads the remote address of a call, or of the proxy before this server. Undefined for an application that
 * is called without a server.
 */
export function readRemoteAddress(context: HonoContext, trustedProxyHops: number): string | undefined {
  const forwarded = trustedProxyHops === 0 ? undefined : context.req.header('x-forwarded-for')
  // A call that bypassed the proxies has the address of its connection.
  return (
    forwarded?.split(',').at(-trustedProxyHops)?.trim() ?? getBindings(context).incoming?.socket.remoteAddress
  )
}

/** Reads the remote address of a call, and tracks when its response has been sent. */
export function trackConnection(context: HonoContext, trustedProxyHops: number) {
  const { outgoing } = getBindings(context)
  let listeners: (() => void)[] | undefined
  const end = () => {
    const ended = listeners ?? []
    listeners = undefined
    for (const listener of ended) listener()
  }
  return {
    remoteAddress: readRemoteAddress(context, trustedProxyHops),
    onEnd(listener: () => void) {
      listeners ??= []
      listeners.push(listener)
    },
    /**
     * Runs the listeners once the response was sent. Until then a caller that reads slowly still counts as a
     * concurrent call.
     */
    finish() {
      if (listeners === undefined) return
      if (outgoing === undefined || outgoing.destroyed) end()
      else outgoing.once('close', end)
    },
    /** Returns the signal that is aborted when the caller disconnects before the response was sent. */
    getSignal: () => context.req.raw.signal,
    /** Whether the caller can still receive the response. */
    isConnected: () => outgoing?.destroyed !== true,
    /** Closes the connection, whatever was sent. */
    disconnect() {
      outgoing?.destroy()
    },
  }
}
