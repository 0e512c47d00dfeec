import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../../tools/workspace.ts'
import { readCodeBlocks } from '../site/blocks.ts'

it('the example of docs/guides/testing-with-the-sandbox.md is the test sandbox-example.test.ts', () => {
  const blocks = readCodeBlocks(join(repositoryRoot, 'docs', 'guides', 'testing-with-the-sandbox.md'))
  const examples = blocks.filter(({ code }) => code.includes("from 'vitest'"))
  const tested = readFileSync(join(import.meta.dirname, 'sandbox-example.test.ts'), 'utf8')
  expect(examples.map(({ code }) => code)).toEqual([tested])
})
