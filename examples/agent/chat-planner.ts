import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import * as v from 'valibot'
import type { Exchange, Planner } from './agent.ts'

export interface ChatModel {
  /** The API's address, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
}

const Completion = v.object({
  choices: v.tuple([
    v.object({
      message: v.object({
        content: v.nullish(v.string()),
        tool_calls: v.optional(
          v.array(v.object({ function: v.object({ name: v.string(), arguments: v.string() }) })),
        ),
      }),
    }),
  ]),
})

/**
 * Creates a planner that is a language model, by the chat completions API that most providers and local
 * servers offer.
 */
export function createChatPlanner({ baseUrl, apiKey, model }: ChatModel): Planner {
  return async ({ goal, tools, history }) => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: goal }, ...history.flatMap(toMessages)],
        tools: tools.map(toFunction),
        parallel_tool_calls: false,
      }),
    })
    if (!response.ok) throw new Error(`The model responded with ${response.status}`)
    const { choices } = v.parse(Completion, await response.json())
    const { content, tool_calls: calls = [] } = choices[0].message
    const [call] = calls
    if (call === undefined) return { answer: content ?? '' }
    return { tool: call.function.name, arguments: JSON.parse(call.function.arguments) }
  }
}

function toFunction({ name, description, inputSchema }: Tool) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

function toMessages({ call, result }: Exchange, index: number) {
  const id = `call_${index}`
  const request = { name: call.tool, arguments: JSON.stringify(call.arguments) }
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: request }] },
    { role: 'tool', tool_call_id: id, content: JSON.stringify(result) },
  ]
}
