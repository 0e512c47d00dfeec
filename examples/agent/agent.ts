import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'

export interface ToolCall {
  readonly tool: string
  readonly arguments: Record<string, unknown>
}

/** What a tool returned. A refusal has `error`, a success `data`. */
export interface ToolResult {
  readonly data?: unknown
  /** Says that an equal call took effect before. */
  readonly note?: string
  readonly error?: { readonly kind: string; readonly message: string; readonly whatToDo: string }
}

/** A call and its result. */
export interface Exchange {
  readonly call: ToolCall
  readonly result: ToolResult
}

/** What a planner decides from. */
export interface Situation {
  readonly goal: string
  readonly tools: readonly Tool[]
  /** The calls so far, oldest first. */
  readonly history: readonly Exchange[]
}

/** Chooses the next call, or ends with an answer. A language model, or a script. */
export type Planner = (situation: Situation) => Promise<ToolCall | { readonly answer: string }>

export interface AgentOptions {
  readonly goal: string
  readonly planner: Planner
  /** Options of the command `mintmark-mcp`: what the agent may change and spend. */
  readonly options: readonly string[]
  /** Its environment variables: credentials, and the key of the wallet that pays. */
  readonly env: Readonly<Record<string, string>>
  /** Receives the lines of the transcript. */
  readonly print: (line: string) => void
}

/** A model that never ends must not call tools forever. */
const MAX_CALLS = 25
const MAX_LINE_CHARACTERS = 160

/** Runs an agent with the MCP server as a child process. Returns the planner's answer. */
export async function runAgent({ goal, planner, options, env, print }: AgentOptions): Promise<string> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [findCommand(), ...options],
    env: { ...env },
  })
  const client = new Client({ name: 'example-agent', version: '1.0.0' })
  await client.connect(transport)
  try {
    const { tools } = await client.listTools()
    print(`goal   ${goal}`)
    print(`tools  ${tools.map(({ name }) => name).join(', ')}`)
    const history: Exchange[] = []
    while (history.length < MAX_CALLS) {
      const decision = await planner({ goal, tools, history })
      if ('answer' in decision) {
        print(`answer ${decision.answer}`)
        return decision.answer
      }
      const result = await callTool(client, decision)
      history.push({ call: decision, result })
      printExchange(decision, result, print)
    }
    throw new Error(`The planner did not end within ${MAX_CALLS} calls`)
  } finally {
    await client.close()
  }
}

/** Returns the path of the program that `npx @mintmark/mcp` starts. */
function findCommand(): string {
  const manifestFile = createRequire(import.meta.url).resolve('@mintmark/mcp/package.json')
  return join(dirname(manifestFile), 'dist', 'cli.js')
}

async function callTool(client: Client, { tool, arguments: parameters }: ToolCall): Promise<ToolResult> {
  const { content } = await client.callTool({ name: tool, arguments: parameters })
  const [first] = content as readonly { readonly text: string }[]
  const result: ToolResult = JSON.parse(first?.text ?? '{}')
  return result
}

function printExchange(
  call: ToolCall,
  { data, note, error }: ToolResult,
  print: AgentOptions['print'],
): void {
  print('')
  print(shorten(`-> ${call.tool} ${JSON.stringify(call.arguments)}`))
  print(error ? `<- REFUSED ${error.kind}: ${error.message}` : shorten(`<- ${JSON.stringify(data)}`))
  if (note !== undefined) print(`   ${note}`)
}

function shorten(line: string): string {
  return line.length <= MAX_LINE_CHARACTERS ? line : `${line.slice(0, MAX_LINE_CHARACTERS)} ...`
}
