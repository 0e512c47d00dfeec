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
  const undeliveredListeners: (() => void)[] = []
  const end = () => {
    const ended = listeners ?? []
    listeners = undefined
    for (const listener of ended) listener()
  }
  const reportUndelivered = () => {
    for (const listener of undeliveredListeners.splice(0)) listener()
  }
  return {
    remoteAddress: readRemoteAddress(context, trustedProxyHops),
    onEnd(listener: () => void) {
      listeners ??= []
      listeners.push(listener)
    },
    onUndelivered(listener: () => void) {
      undeliveredListeners.push(listener)
    },
    /**
     * Runs the listeners once the response was sent. Until then a caller that reads slowly still counts as a
     * concurrent call. Called before the response is written.
     */
    finish({ hasFailed }: { readonly hasFailed: boolean }) {
      if (undeliveredListeners.length > 0) {
        if (hasFailed) reportUndelivered()
        else if (outgoing !== undefined) watchFirstByte(outgoing, reportUndelivered)
      }
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

/**
 * Calls `onNone` if the connection ends without a byte of the response. A response that the operating system
 * accepted a part of may have been read, and one that it accepted counts as read: a caller, or a proxy before
 * it, that is gone since then is not noticed.
 */
function watchFirstByte(outgoing: ServerResponse, onNone: () => void): void {
  if (outgoing.destroyed) {
    onNone()
    return
  }
  let mayBeWritten = false
  // Emitted in the turn in which the response is written, as one piece. What is left of it was not accepted yet,
  // and nothing shows how much was.
  outgoing.once('prefinish', () => {
    mayBeWritten = (outgoing.socket?.writableLength ?? 0) > 0
  })
  outgoing.once('finish', () => {
    mayBeWritten = true
  })
  outgoing.once('close', () => {
    if (!mayBeWritten) onNone()
  })
}
