import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { serveLocally } from '@mintmark/devkit'
import type { Stops } from './stops.ts'

/**
 * What callers of the facilitator observe. `timeout`: the call never reaches it, and has no response.
 * `unavailable`: the response is 503. `lost-answer`: the facilitator executes the call, and the connection
 * breaks before its response.
 */
export type FacilitatorFault = 'timeout' | 'unavailable' | 'lost-answer'

const FAULTS: readonly FacilitatorFault[] = ['timeout', 'unavailable', 'lost-answer']

/** Makes calls of the facilitator fail. */
export interface FacilitatorFaults {
  /** Makes every call of the facilitator fail, until `clear`. @throws TypeError for another fault. */
  facilitator(fault: FacilitatorFault): void
  /** Ends the fault. Calls that wait for a response are disconnected. */
  clear(): void
}

/** A server between the callers and the facilitator. */
export interface FacilitatorProxy {
  readonly url: string
  readonly faults: FacilitatorFaults
  /** Sets the server that receives the calls. */
  forwardTo(url: string): void
}

/** Starts a proxy on 127.0.0.1. It responds with 503 before it has a server. */
export async function startFacilitatorProxy(port: number, stops: Stops): Promise<FacilitatorProxy> {
  const waiting = new Set<IncomingMessage>()
  let target: string | undefined
  let fault: FacilitatorFault | undefined
  const respond: RequestListener = (incoming, response) => {
    if (fault === 'timeout') {
      waiting.add(incoming)
      incoming.once('close', () => waiting.delete(incoming))
    } else if (fault === 'unavailable' || target === undefined) {
      incoming.resume()
      response.writeHead(503, { 'retry-after': '1' }).end()
    } else {
      forward(target, incoming, response, fault === 'lost-answer')
    }
  }
  const url = await serveLocally(respond, stops, port)
  return {
    url,
    forwardTo(server) {
      target = server
    },
    faults: {
      facilitator(chosen) {
        if (!FAULTS.includes(chosen)) {
          throw new TypeError(`There is no fault ${String(chosen)}. Choose ${FAULTS.join(', ')}`)
        }
        fault = chosen
      },
      clear() {
        fault = undefined
        for (const { socket } of waiting) socket.destroy()
      },
    },
  }
}

function forward(
  target: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  losesAnswer: boolean,
): void {
  // The path is passed on as it is: a URL would read `//verify` as the name of a host.
  const { method, url: path, headers } = incoming
  const outgoing = request(target, { method, headers, path }, (answer) => {
    if (losesAnswer) {
      answer.resume().once('close', () => incoming.socket.destroy())
      return
    }
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    pipeline(answer, response, (error) => {
      if (error) incoming.socket.destroy()
    })
  })
  outgoing.once('error', () => incoming.socket.destroy())
  // A caller that disconnects ends a stream of events too.
  response.once('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
