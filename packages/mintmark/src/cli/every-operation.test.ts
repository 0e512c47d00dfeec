import { inputIssues, type OperationShape } from '@mintmark/operation'
import { createFacilitator, createGateway } from '@mintmark/transport'
import * as mintmark from 'mintmark'
import { describe, expect, it } from 'vitest'
import { listInputFields } from './fields.ts'
import type { Input } from './input.ts'
import { listGroups } from './operations.ts'
import { createSample, createSampleInput } from './sample-values.ts'
import {
  createStub,
  type RecordedRequest,
  respondWith,
  runCommand,
  VARIABLES,
} from './testing/run-command.ts'

const groups = listGroups()
const commands = groups.flatMap((group) =>
  group.operations.map(({ operation, command }) => ({ id: operation.id, group, operation, command })),
)

function isOperation(value: unknown): value is OperationShape {
  return typeof value === 'function' && 'service' in value && 'path' in value
}

/** The words of an input: flags, repeated for lists, and JSON. */
function toWords(operation: OperationShape, input: Input): string[] {
  return listInputFields(operation).flatMap(({ name, flag, kind }) => {
    const value = input[name]
    if (value === undefined) return []
    if (kind === 'list' && Array.isArray(value)) return value.flatMap((each) => [flag, String(each)])
    return [flag, kind === 'json' ? JSON.stringify(value) : String(value)]
  })
}

function respondTo({ service, result, data }: OperationShape): Response {
  const sample = createSample(data)
  if (service === 'gateway') return respondWith(sample)
  if (result === 'none') return new Response(null, { status: 204 })
  if (result === 'json') return Response.json(sample)
  return new Response(null, { headers: { 'payment-response': btoa(JSON.stringify(sample)) } })
}

/** The request that the client sends, without what depends on the time. */
async function callClient(operation: OperationShape, input: Input): Promise<RecordedRequest | undefined> {
  const { requests, fetch } = createStub(() => respondTo(operation))
  const gateway = createGateway({
    baseUrl: VARIABLES.MINTMARK_GATEWAY_URL,
    credentials: { apiKey: VARIABLES.MINTMARK_API_KEY, secret: VARIABLES.MINTMARK_SECRET },
    fetch,
  })
  const facilitator = createFacilitator({
    baseUrl: VARIABLES.MINTMARK_FACILITATOR_URL,
    credentials: { token: VARIABLES.MINTMARK_FACILITATOR_TOKEN },
    fetch,
  })
  const client = operation.service === 'gateway' ? gateway : facilitator
  await client.call(operation, input)
  return requests[0]
}

function withoutTime(request: RecordedRequest | undefined) {
  return { ...request, headers: { ...request?.headers, 'x-timestamp': '', 'x-signature': '' } }
}

it('the commands contain every operation that mintmark exports', () => {
  const exported = Object.values(mintmark).flatMap((group) =>
    typeof group === 'object' && group !== null ? Object.values(group).filter(isOperation) : [],
  )
  expect(exported.length).toBeGreaterThan(190)
  expect(commands.map(({ id }) => id).sort()).toEqual(exported.map(({ id }) => id).sort())
})

it('the commands are shown by the help of the program and of each group, in 80 columns', async () => {
  const program = await runCommand(['--help'])
  expect(program.exitCode).toBe(0)
  for (const { command, operations } of groups) {
    expect(program.output).toContain(`\n  ${command}`)
    const { output } = await runCommand([command, '--help'])
    for (const each of operations) expect(output).toContain(`\n  ${each.command}`)
  }
  expect(program.output.split('\n').filter((line) => line.length > 80)).toEqual([])
})

describe.each(commands)('mintmark $group.command $command', ({ group, operation, command }) => {
  it('a command has a help that lists its fields, in 80 columns', async () => {
    const { exitCode, output } = await runCommand([group.command, command, '--help'])
    expect(exitCode).toBe(0)
    expect(output).toMatch(new RegExp(`^Usage: mintmark ${group.command} ${command}[ |]`))
    for (const { flag } of listInputFields(operation)) expect(output).toContain(`  ${flag} `)
    // A value of an example, such as JSON, is not broken.
    const [help = ''] = output.split('\nExample:')
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  if (operation.result === 'event-stream') return

  it.each([
    ['every field', true],
    ['the required fields', false],
  ])(
    'a command sends %s as the client does, and prints the records of the response',
    async (_, isComplete) => {
      const input = createSampleInput(operation, isComplete)
      expect(inputIssues(operation, input)).toEqual([])
      const { requests, fetch } = createStub(() => respondTo(operation))
      const words = [group.command, command, ...toWords(operation, input)]
      const { exitCode, output, errors } = await runCommand(words, { fetch })
      expect([errors, exitCode]).toEqual(['', 0])
      expect(requests.map(withoutTime)).toEqual([withoutTime(await callClient(operation, input))])
      const lines = output.split('\n').slice(0, -1)
      const sample = operation.result === 'none' ? undefined : createSample(operation.data)
      const records = operation.paged ? (sample as { list: unknown[] }).list : [sample].flat()
      expect(lines.map((line) => JSON.parse(line))).toEqual(records.filter((each) => each !== undefined))
    },
  )
})
