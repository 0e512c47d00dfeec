import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../scratch-folder.ts'
import { docstringsOf } from './docstrings.ts'

it('a docstring says in its first paragraph what is meant, and in the others what to do', () => {
  using scratch = scratchFolder({
    'rules.ts': `
      /** Too late. */
      export const LATE = 40901
      /**
       * Too little: see {@link LATE}
       * and others.
       *
       * Send more.
       */
      export const LITTLE = 40902
      export const UNTOLD = 40903
      /** An error. */
      export interface Failure {
        /** Why. */
        cause: string
        plain: string
      }
      export const Failure = 1
    `,
  })
  expect([...docstringsOf(join(scratch.root, 'rules.ts'))]).toEqual([
    ['LATE', { meaning: 'Too late.', advice: '', members: {} }],
    ['LITTLE', { meaning: 'Too little: see `LATE` and others.', advice: 'Send more.', members: {} }],
    ['Failure', { meaning: 'An error.', advice: '', members: { cause: 'Why.' } }],
  ])
})
