import { Text } from '@mintmark/envelope'
import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { createOpenApiDocument } from './openapi.ts'

const word = { description: 'a lower-case word', pattern: '[a-z]+', findProblem: () => undefined }
const operation = gatewayOperation({
  id: 'cards.create',
  method: 'POST',
  path: '/cards',
  source: 'own',
  query: { keyword: v.optional(v.string()) },
  body: {
    name: Text,
    status: v.optional(v.string()),
    share: v.optional(v.number()),
    cards: v.array(v.object({ title: v.string() })),
    extension: v.optional(v.looseObject({})),
  },
  data: v.object({}),
})
const limits = {
  keyword: { characters: 10 },
  name: { characters: 5, format: word },
  status: { characters: 32, oneOf: ['DISPLAY', 'HIDDEN'] },
  share: { min: 0, max: 100 },
  cards: { items: 2 },
  'cards[].title': { characters: 3, format: word },
  extension: { bytes: 65_536 },
}

const document = createOpenApiDocument({
  title: 'Test',
  version: '1.0.0',
  description: 'Test',
  serverUrl: 'https://example.com',
  operations: [operation],
  getLimits: () => limits,
  descriptions: {
    operations: { 'cards.create': { summary: 'Creates a card.', fields: { name: 'The name.' } } },
  },
})
interface OperationObject {
  readonly parameters: unknown
}
const { post } = (document.paths as Record<string, { readonly post: OperationObject }>)['/cards'] as {
  readonly post: OperationObject
}
const { schemas } = document.components as { readonly schemas: Record<string, { properties: unknown }> }

it('the OpenAPI document contains the limits of fields at every depth as keywords of JSON Schema', () => {
  expect(schemas.CardsCreateInput?.properties).toMatchObject({
    name: { pattern: '^[a-z]+$', description: 'The name.\n\nA lower-case word.' },
    status: { enum: ['DISPLAY', 'HIDDEN'] },
    share: { minimum: 0, maximum: 100 },
    cards: { maxItems: 2, items: { $ref: '#/components/schemas/CardsCreateInputCard' } },
  })
  expect(schemas.CardsCreateInputCard?.properties).toMatchObject({ title: { pattern: '^(?:[a-z]+)?$' } })
  expect(post.parameters).toMatchObject([
    { name: 'keyword', schema: { maxLength: 10 } },
    { name: 'Idempotency-Key' },
  ])
})

it('the OpenAPI document describes a limit in words when JSON Schema has no keyword for it', () => {
  expect(schemas.CardsCreateInput?.properties).toMatchObject({
    extension: { description: 'At most 65,536 bytes of JSON.' },
  })
})
