import { gatewayOperation } from '@mintmark/operation'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createOpenApiDocument } from './openapi.ts'

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
