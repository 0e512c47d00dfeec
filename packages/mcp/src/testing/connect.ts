import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { McpApplication } from '../application.ts'
import type { ErrorReport } from '../tool-error.ts'

/** The parsed result of a tool. */
export interface ToolOutput {
  readonly isError: boolean
  readonly text: string
  readonly data: unknown
  readonly requestId?: string
  readonly note?: string
  readonly hint?: string
  /** Undefined for a success. */
  readonly error?: ErrorReport
}

/** A client of the official SDK. */
export interface TestClient {
  readonly client: Client
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<ToolOutput>
  close(): Promise<void>
}

/** Connects a client of the official SDK over a transport. */
export async function connectOver(
  transport: Transport,
  capabilities: ClientCapabilities = {},
): Promise<TestClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  await client.connect(transport)
  return {
    client,
    async call(name, args = {}, signal) {
      const result = await client.callTool(
        { name, arguments: args },
        undefined,
        signal === undefined ? {} : { signal },
      )
      const [content] = result.content as readonly { readonly type: string; readonly text: string }[]
      const text = content?.text ?? ''
      return { ...(JSON.parse(text) as Omit<ToolOutput, 'isError'>), text, isError: result.isError === true }
    },
    close: () => client.close(),
  }
}

/** Opens a session of an application in this process. */
export async function connectInMemory(
  application: McpApplication,
  capabilities?: ClientCapabilities,
): Promise<TestClient> {
  const [own, theirs] = InMemoryTransport.createLinkedPair()
  await application.createServer().connect(theirs)
  return await connectOver(own, capabilities)
}
