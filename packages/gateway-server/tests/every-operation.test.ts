import { isMintmarkError } from '@mintmark/envelope'
import type { OperationShape } from '@mintmark/operation'
import { type FieldLimits, listLimitedFields, MAX_BODY_BYTES } from '@mintmark/server-kit'
import { withResponse } from '@mintmark/transport'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from '../src/main/routes.ts'
import { type TestGateway, testGateway } from '../src/testing/gateway.ts'
import type { RawRequest, RawResponse } from '../src/testing/raw-client.ts'
import { inputsBeyondLimit } from '../src/testing/samples/beyond-limits.ts'
import {
  type Input,
  isRequired,
  rawCallOf,
  sampleProject,
  wrongTextsOf,
  wrongValuesOf,
} from '../src/testing/samples/calls.ts'
import { completeInput, listMissingFields, returnsItsRecord } from '../src/testing/samples/complete-input.ts'
import { OPERATOR_OPERATIONS, SESSION_OPERATIONS, samples } from '../src/testing/samples/index.ts'
import type { Sample, SampleProject } from '../src/testing/samples/sample.ts'
import { tenantTables } from '../src/testing/stated-rows.ts'

let gateway: TestGateway
let theirs: SampleProject
beforeAll(async () => {
  gateway = await testGateway()
  theirs = await sampleProject(gateway, 'theirs')
})
afterAll(() => gateway.close())

/** Tables with a project to which calls of projects have no access, and row-level security does not apply. */
const ADMIN_TABLES = ['api_keys', 'invitations', 'members', 'publishable_keys']

/** A statement that selects every row of the project `$1`, table by table, as one text each. */
let selectRows: string
beforeAll(async () => {
  const tables = [...(await tenantTables(gateway)), ...ADMIN_TABLES]
  selectRows = tables
    .map(
      (table) => `
        select '${table}' as table, coalesce(string_agg(t::text, e'\n' order by t::text), '') as rows
        from gateway.${table} t where project_id = $1`,
    )
    .join(' union all ')
})

async function rowsOf({ projectId }: SampleProject): Promise<Record<string, string>> {
  // One prepared statement for all tables: a statement for each took half of the time of these tests.
  const { rows } = await gateway.owner.pool.query<{ table: string; rows: string }>({
    name: 'rows of a project',
    text: selectRows,
    values: [projectId],
  })
  return Object.fromEntries(rows.map(({ table, rows: text }) => [table, text]))
}

// A sample's operation has any type, and its input is what its own `input` returns.
const call = (operation: OperationShape, project: SampleProject, input: Input) =>
  withResponse(operation as never, project.client, input as never) as Promise<{
    status: number
    data: unknown
  }>

const createInput = (each: Sample, project: SampleProject) => each.input(project) as Input | Promise<Input>

function expectRefused({ status, json }: RawResponse, field: string, context: string): void {
  expect(status, context).toBe(400)
  expect(json, context).toMatchObject({ code: 400, success: false, msg: expect.any(String) })
  const paths = (json.data as { issues: { path: string }[] }).issues.map(({ path }) => path)
  expect(
    paths.some((path) => path === field || path.startsWith(`${field}.`)),
    `${context}: ${field} is not among ${JSON.stringify(paths)}`,
  ).toBe(true)
}

/** The rows of a list, or of a page of one. */
const rowsIn = (data: unknown) => (Array.isArray(data) ? data : (data as { list: unknown }).list)

/** A response reports at most 20 issues. */
const FIELDS_PER_CALL = 8

/**
 * Yields inputs that together contain each wrong value. A response names all wrong fields, so that a call
 * tests several.
 */
function* combineWrongValues(wrongValues: ReadonlyMap<string, readonly unknown[]>): Generator<Input> {
  const names = [...wrongValues.keys()]
  for (let start = 0; start < names.length; start += FIELDS_PER_CALL) {
    const fields = names.slice(start, start + FIELDS_PER_CALL)
    const rounds = Math.max(...fields.map((name) => wrongValues.get(name)?.length ?? 0))
    for (let round = 0; round < rounds; round += 1) {
      const wrong = fields.flatMap((name) =>
        (wrongValues.get(name) ?? []).slice(round, round + 1).map((value) => [name, value]),
      )
      yield Object.fromEntries(wrong)
    }
  }
}

it('every operation has a sample input', () => {
  const known = [
    ...samples.map(({ operation }) => operation.id),
    ...SESSION_OPERATIONS,
    ...OPERATOR_OPERATIONS,
  ]
  expect(new Set(known).size).toBe(known.length)
  expect(routes.map(({ operation }) => operation.id).filter((id) => !known.includes(id))).toEqual([])
})

const maxBodyBytesOf = ({ id }: OperationShape): number =>
  routes.find(({ operation }) => operation.id === id)?.maxBodyBytes ?? MAX_BODY_BYTES

const limitsOf = ({ id }: OperationShape): FieldLimits | undefined =>
  routes.find(({ operation }) => operation.id === id)?.limits

it('declares a limit for every text, array and open object of every operation', () => {
  const unlimited = routes.flatMap(({ operation, limits }) =>
    listLimitedFields(operation, limits)
      .filter(({ declared }) => !declared)
      .map(({ path }) => `${operation.id}: ${path}`),
  )
  expect(unlimited).toEqual([])
})

describe.each(samples.map((each) => [each.operation.id, each] as const))('%s', (_, each) => {
  const { operation } = each
  // A project for each operation: one project for all would contain more and more rows, and these tests read
  // all of them.
  let mine: SampleProject
  beforeAll(async () => {
    mine = await sampleProject(gateway, `mine for ${operation.id}`)
  })

  it('succeeds through the client', async () => {
    const input = await createInput(each, mine)
    const { status, data } = await call(operation, mine, input)
    expect(status).toBe(200)
    // It contains what the sample creates and no more, so that each filter of the input works.
    if (each.otherProject === 'empty') expect(rowsIn(data)).toHaveLength(1)
    if (each.contains !== undefined) expect(data).toMatchObject(each.contains)
    each.checkResponse?.(data as never, input as never)
  })

  if (returnsItsRecord(operation)) {
    it('returns every field that it accepts', async () => {
      const { notSent = [], notReturned = [] } = each
      const sent = completeInput(operation, await createInput(each, mine), notSent, limitsOf(operation))
      const { data } = await call(operation, mine, sent)
      const missing = listMissingFields(operation, sent, data)
      expect(missing, 'Return these fields, or list them in notReturned of the sample').toEqual(notReturned)
    })
  }

  it('shows and changes nothing of another project', async () => {
    const input = await createInput(each, mine)
    const before = await rowsOf(mine)
    const response = await call(operation, theirs, input).then(
      ({ data }) => ({ data }),
      (error: unknown) => ({ error }),
    )
    expect(await rowsOf(mine)).toEqual(before)
    if (each.otherProject === 'not found') {
      expect(response).not.toHaveProperty('data')
      const { error } = response as { error: unknown }
      expect(isMintmarkError(error) && error.status, String(error)).toBe(404)
    } else {
      expect(response).not.toHaveProperty('error')
      const { data } = response as { data: Record<string, unknown> }
      if (each.otherProject === 'empty') {
        expect(rowsIn(data)).toEqual([])
        if (!Array.isArray(data)) expect(data.totalRow).toBe(0)
      } else if (each.otherProject === 'own') {
        expect(JSON.stringify(data)).not.toContain(`"projectId":${mine.projectId},`)
      } else {
        expect(data).toEqual(each.otherProject.data)
      }
    }
    // The input was good: its own project gets on with it.
    expect((await call(operation, mine, input)).status).toBe(200)
  })

  it('refuses bad input, naming the field, and stores nothing', async () => {
    const input = await createInput(each, mine)
    const before = await rowsOf(mine)
    const good = rawCallOf(operation, input)
    const refuse = async (change: Partial<RawRequest>, ...fields: readonly string[]) => {
      const response = await mine.key.call({ ...good, ...change })
      for (const field of fields) {
        expectRefused(response, field, `${operation.id} with ${JSON.stringify(change)}`)
      }
    }

    const wrongTexts = new Map<string, readonly string[]>()
    for (const [name, schema] of Object.entries(operation.query ?? {})) {
      const without = new URLSearchParams(good.query)
      without.delete(name)
      if (isRequired(schema)) await refuse({ query: without.toString() }, name)
      if (name === 'orderBy') await refuse({ query: `${without}&orderBy=noField` }, name)
      const [first, ...others] = wrongTextsOf(schema)
      if (first !== undefined)
        await refuse({ query: `${without}&${name}=${encodeURIComponent(first)}` }, name)
      wrongTexts.set(name, others)
    }
    for (const wrong of combineWrongValues(wrongTexts)) {
      const query = new URLSearchParams(good.query)
      for (const [name, text] of Object.entries(wrong)) query.set(name, String(text))
      await refuse({ query: query.toString() }, ...Object.keys(wrong))
    }
    await refuse({ query: `${good.query}&unknown=1` }, 'unknown')
    for (const name of Object.keys(operation.params ?? {})) {
      if (typeof input[name] !== 'number') continue
      for (const text of ['abc', '0', '-1', '1.5', '9007199254740993']) {
        await refuse({ path: rawCallOf(operation, { ...input, [name]: text }).path }, name)
      }
    }
    if (operation.body) {
      const body = good.body as Input
      const wrongValues = new Map<string, unknown[]>()
      for (const [name, schema] of Object.entries(operation.body)) {
        const { [name]: _, ...rest } = body
        if (isRequired(schema)) await refuse({ body: rest }, name)
        const [first, ...others] = wrongValuesOf(schema)
        expect(first, `${name} takes anything`).toBeDefined()
        await refuse({ body: { ...body, [name]: first } }, name)
        wrongValues.set(name, others)
      }
      for (const wrong of combineWrongValues(wrongValues)) {
        await refuse({ body: { ...body, ...wrong } }, ...Object.keys(wrong))
      }
      await refuse({ body: { ...body, unknown: 1 } }, 'unknown')
      for (const text of ['', '{', '[]', 'null', '1', '"a"']) await refuse({ body: text }, '')
      const unknown = 'x'.repeat(maxBodyBytesOf(operation))
      const large = await mine.key.call({ ...good, body: { ...body, unknown } })
      expect(large.status).toBe(413)
    }
    for (const field of listLimitedFields(operation, limitsOf(operation))) {
      const beyond = inputsBeyondLimit(operation, input, field)
      for (const wrong of beyond.inputs) {
        expectRefused(
          await mine.key.call(rawCallOf(operation, wrong)),
          beyond.path,
          `${operation.id} with a value beyond ${JSON.stringify(field.limit)} in ${field.path}`,
        )
      }
    }
    for (const [field, change] of each.refused ?? []) {
      const changed = { ...input, ...(change as Input) }
      expectRefused(await mine.key.call(rawCallOf(operation, changed)), field, JSON.stringify(changed))
    }
    expect(await rowsOf(mine)).toEqual(before)
  })
})
