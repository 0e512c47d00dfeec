import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../readme/blocks.ts'
import { repositoryRoot } from '../workspace.ts'
import type { Page } from './browser.ts'

const text = readFileSync(join(repositoryRoot, 'docs/runtimes.md'), 'utf8')

/** What docs/runtimes.md shows, to be run as its readers would. */
export const documented: { readonly worker: string; readonly page: Page } = {
  worker: blocksOf(text).find(({ code }) => code.includes('export default'))?.code ?? '',
  page: {
    // The document's own.
    imports: (
      JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '{}') as Required<Pick<Page, 'imports'>>
    ).imports,
    script: `
      import { get } from '@mintmark/cards/promo-code-cards'
      import { createGateway } from '@mintmark/transport'
      globalThis.program = ({ gateway: { baseUrl, ...credentials }, id }) =>
        get(createGateway({ baseUrl, credentials }), { id })
    `,
  },
}
