import { expect, it } from 'vitest'
import type { Descriptions } from './openapi.ts'
import { createDocumentReader } from './pages.ts'

it('the OpenAPI document has the docstrings of a build that ends after the server has started', async () => {
  const builds: (Descriptions | undefined)[] = [undefined, { operations: {} }]
  const readDocument = createDocumentReader(
    (descriptions) => ({ described: descriptions !== undefined }),
    async () => builds.shift(),
  )
  expect(await readDocument()).toBe('{"described":false}')
  expect(await readDocument()).toBe('{"described":true}')
  expect(await readDocument()).toBe('{"described":true}')
})
