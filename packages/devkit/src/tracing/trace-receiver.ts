import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'

/** A span as a receiver of OTLP gets it. */
export interface ReceivedSpan {
  readonly service: string
  readonly name: string
  /** 1: internal, 2: server, 3: client. */
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  /** 2: the span failed. */
  readonly status: number
}

/** A receiver of OTLP over HTTP, on a socket. */
export interface TraceReceiver {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string
  /** All spans that were received, in the order of their ends. */
  readonly spans: readonly ReceivedSpan[]
  /** The bodies as they were received. */
  readonly bodies: readonly string[]
  readonly headers: readonly IncomingHttpHeaders[]
  close(): Promise<void>
}

/** Starts a receiver that accepts every export. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    headers.push(request.headers)
    spans.push(...readSpans(JSON.parse(body) as Export))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    bodies,
    headers,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A value of OTLP's JSON, such as `{ stringValue: 'a' }`. */
type WireValue = Readonly<Record<string, unknown>>

interface WireAttribute {
  readonly key: string
  readonly value: WireValue
}

/** The part of an export that is read here. */
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly WireAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[]
  }[]
}

interface WireSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly WireAttribute[]
  readonly status?: { readonly code?: number }
}

function readSpans({ resourceSpans }: Export): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(readAttributes(resource.attributes)['service.name'])
    return scopeSpans.flatMap(({ spans }) => spans).map((span) => readSpan(service, span))
  })
}

function readSpan(service: string, span: WireSpan): ReceivedSpan {
  const { name, kind, traceId, spanId, parentSpanId, attributes, status } = span
  return {
    service,
    name,
    kind,
    traceId,
    spanId,
    parentSpanId: parentSpanId || undefined,
    attributes: readAttributes(attributes),
    status: status?.code ?? 0,
  }
}

function readAttributes(attributes: readonly WireAttribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, readValue(value)]))
}

function readValue(value: WireValue): unknown {
  const [content] = Object.values(value)
  const list = (content as { values?: readonly WireValue[] } | undefined)?.values
  return list === undefined ? content : list.map(readValue)
}
