import { join } from 'node:path'
import { blocksOfFile } from '../readme/blocks.ts'
import { type Catalogue, readCatalogue } from './catalogue.ts'
import { errorsPage, readErrors } from './errors-page.ts'
import { groupPage, recordSection } from './group-page.ts'
import { readGuides } from './guides.ts'
import { indexPage, pageFields } from './index-page.ts'
import { llmsText } from './llms.ts'
import { blocks } from './markdown.ts'
import { namesOn, pageOf, placeRecords, SHARED_RECORDS } from './record-places.ts'
import { readRules } from './rules.ts'
import { untold } from './untold.ts'

type Placed = ReturnType<typeof placeRecords>

function recordsPage(catalogue: Catalogue, placed: Placed): string {
  const nameOf = namesOn(SHARED_RECORDS, catalogue, placed)
  return blocks(
    '# Records that several groups answer',
    'Records that one group alone answers stand on its page.',
    ...[...(placed.get(SHARED_RECORDS) ?? [])]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((record) => recordSection(record, nameOf).replace(/^###/, '##')),
  )
}

/** The first example of a package's README that has a word in it; the README's own test compiles it. */
function snippet(root: string, name: string, word: string): string {
  const found = blocksOfFile(join(root, 'packages', name, 'README.md')).find(({ code }) =>
    code.includes(word),
  )
  if (found === undefined) throw new Error(`packages/${name}/README.md has no example with ${word}`)
  return found.code
}

/** Everything that is generated, by its path from the repository's top; and what the sources do not say. */
export async function referencePages(root: string): Promise<{
  readonly pages: ReadonlyMap<string, string>
  readonly problems: readonly string[]
}> {
  const catalogue = await readCatalogue(root)
  const rules = await readRules(root)
  const placed = placeRecords(catalogue)
  const errors = readErrors(root)
  const snippets = {
    gateway: snippet(root, 'cards', 'createGateway'),
    facilitator: snippet(root, 'facilitator', 'createFacilitator'),
    errors: snippet(root, 'envelope', 'isMintmarkError'),
  }
  const reference = new Map([
    ['README.md', indexPage(root, catalogue)],
    ['errors.md', errorsPage(errors, rules, snippets.errors)],
    [SHARED_RECORDS, recordsPage(catalogue, placed)],
    ...catalogue.groups.map((group) => [pageOf(group), groupPage(group, catalogue, placed, rules)] as const),
  ])
  const pages = new Map([
    ...[...reference].map(([page, text]) => [`docs/reference/${page}`, text] as const),
    ['llms.txt', llmsText(catalogue, snippets, readGuides(root))],
  ])
  return {
    pages,
    problems: untold(catalogue, [...placed.values()].flat(), rules, errors, pageFields(root, catalogue)),
  }
}
