import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from './openapi.ts'
import { nameSchemas } from './schema-names.ts'

test('marks an operation as deprecated if its docstring does', () => {
  const shape = { method: 'GET', source: 'own', data: v.null_() } as const
  const document = createOpenApiDocument({
    title: 'Cards',
    version: '1.0.0',
    description: '',
    serverUrl: 'https://cards.test',
    operations: [
      gatewayOperation({ ...shape, id: 'cards.get', path: '/card' }),
      gatewayOperation({ ...shape, id: 'cards.read', path: '/cards' }),
    ],
    descriptions: {
      operations: {
        'cards.get': { summary: 'One card.\n\nDeprecated. Use `cards.read`.', deprecated: true },
        'cards.read': { summary: 'All cards.' },
      },
    },
  })
  expect(document.paths).toMatchObject({
    '/card': {
      get: { deprecated: true, summary: 'One card', description: expect.stringContaining('cards.read') },
    },
  })
  expect(document.paths).not.toHaveProperty(['/cards', 'get', 'deprecated'])
})

test('names the objects of a document by what exports them, or by the operation that has them', () => {
  const item = v.object({ price: v.number(), seller: v.object({ name: v.string() }) })
  const shape = { method: 'POST', source: 'own' } as const
  const fields = { title: v.string(), tags: v.array(v.object({ text: v.string() })) }
  const document = createOpenApiDocument({
    title: 'Cards',
    version: '1.0.0',
    description: '',
    serverUrl: 'https://cards.test',
    operations: [
      gatewayOperation({ ...shape, id: 'cards.create', path: '/a', body: fields, data: v.array(item) }),
      gatewayOperation({
        ...shape,
        id: 'cards.createBatch',
        path: '/b',
        body: { cards: v.array(v.object(fields)) },
        data: v.object({ count: v.number() }),
      }),
    ],
    names: nameSchemas({ Item: item, item }),
    descriptions: {
      operations: {},
      records: { Item: { summary: 'An item.', fields: { 'seller.name': 'Who sells it.' } } },
    },
  })
  const { schemas } = document.components as { schemas: Record<string, unknown> }
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      'CardsCreateBatchInput',
      'CardsCreateBatchResult',
      'CardsCreateInput',
      'CardsCreateInputTag',
      'Item',
      'ItemListEnvelope',
      'ItemSeller',
    ]),
  )
  expect(schemas.ItemSeller).toMatchObject({ properties: { name: { description: 'Who sells it.' } } })
  expect(schemas.CardsCreateBatchInput).toMatchObject({
    properties: { cards: { items: { $ref: '#/components/schemas/CardsCreateInput' } } },
  })
})

test('refuses two records with one name in a document', () => {
  const [one, other] = [v.object({ id: v.string() }), v.object({ id: v.number() })]
  const shape = { method: 'GET', source: 'own' } as const
  const create = () =>
    createOpenApiDocument({
      title: 'Cards',
      version: '1.0.0',
      description: '',
      serverUrl: 'https://cards.test',
      operations: [
        gatewayOperation({ ...shape, id: 'a.get', path: '/a', data: one }),
        gatewayOperation({ ...shape, id: 'b.get', path: '/b', data: other }),
      ],
      names: new Map([...nameSchemas({ Card: one }), ...nameSchemas({ Card: other })]),
    })
  expect(create).toThrow('Two records of the OpenAPI document have the name Card')
})

test('declares Idempotency-Key for the writes that keep one', () => {
  const shape = { method: 'POST', source: 'own', data: v.null_() } as const
  const document = createOpenApiDocument({
    title: 'Cards',
    version: '1.0.0',
    description: '',
    serverUrl: 'https://cards.test',
    operations: [
      gatewayOperation({ ...shape, id: 'cards.create', path: '/a' }),
      gatewayOperation({ ...shape, id: 'cards.forget', path: '/b', ignoresIdempotencyKey: true }),
    ],
  })
  expect(document.paths).toMatchObject({
    '/a': { post: { parameters: [{ name: 'Idempotency-Key', in: 'header', required: false }] } },
    '/b': { post: { parameters: [] } },
  })
})
