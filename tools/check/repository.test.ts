import { describe, expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { describeProblem } from './problem.ts'
import { checkRepository } from './repository.ts'

describe('what does not belong into the repository', () => {
  it.each([
    '// TODO: later',
    '// FIXME',
    '// @ts-ignore',
    '// @ts-nocheck',
    `const path = '/work/main/package.json'`,
    'cd /home/somebody',
    'see https://registry.npmjs.org/ky',
    `it.only('runs alone', () => {})`,
  ])('is found with its line: %s', (line) => {
    using repository = scratchFolder({ 'packages/a/src/a.ts': `export {}\n${line}\n` })
    expect(checkRepository(repository.root).map(describeProblem)).toEqual([
      expect.stringMatching(/^packages\/a\/src\/a\.ts:2: /),
    ])
  })

  it.each([
    '/api/v1/work/orders',
    'the work/main folder',
    '// @ts-expect-error: the id is missing',
    'https://x402.org/',
  ])('is not mistaken: %s', (line) => {
    using repository = scratchFolder({ 'a.ts': line })
    expect(checkRepository(repository.root)).toEqual([])
  })

  it('is not looked for in what is installed or built', () => {
    using repository = scratchFolder({
      'node_modules/a/a.js': '// TODO',
      'packages/a/dist/a.js': '// TODO',
    })
    expect(checkRepository(repository.root)).toEqual([])
  })
})
