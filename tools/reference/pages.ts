import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { pageQuery } from '@mintmark/envelope'
import { blocksOfFile } from '../readme/blocks.ts'
import { type Catalogue, type Group, type RecordOf, readCatalogue } from './catalogue.ts'
import { blocks, code, fenced, firstSentence, headingsOf, proseLines, table } from './markdown.ts'
import { missingDocs } from './missing.ts'
import { operationSection } from './operation.ts'
import { linkTo, namesOn, pageOf, placeRecords, SHARED_RECORDS } from './records.ts'
import { answerRows, type Field, fieldsOf, fieldsOfRecord, type NameOf, partsOf } from './schemas.ts'
import { docstringsOf, type ErrorDocs, type Rule, readErrors, readRules } from './sources.ts'

const INDEX = 'README.md'

/** Fills the `{{names}}` of a template. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(import.meta.dirname, 'templates', template), 'utf8')
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${template} has no value for ${name}`)
    return value.trimEnd()
  })
}

function recordSection(record: RecordOf, nameOf: NameOf): string {
  const rows = answerRows(fieldsOfRecord(record, nameOf))
  return blocks(`### ${record.name}`, record.summary, table(['field', 'type', 'meaning'], rows)).trim()
}

/** Names the guide that the examples come from. */
function guideOf({ packageName, operations }: Group): string | undefined {
  const example = operations.find((operation) => operation.example !== undefined)?.example
  if (example === undefined) return undefined
  const { title, slug } = example.section ?? { title: packageName, slug: undefined }
  const anchor = slug === undefined ? '' : `#${slug}`
  return `The examples come from one program, which goes through them in order: [${title}](../../${packageName}.md${anchor}). What an example uses
and does not make itself was made by one before it there.`
}

function clientOf({ operations }: Group): string {
  const [client, maker, how] =
    operations[0]?.shape.door === 'facilitator'
      ? [
          'facilitator',
          'createFacilitator',
          `; calls carry ${code('Authorization: Bearer <key>')} where an operation needs a key`,
        ]
      : ['gateway', 'createGateway', ', which signs every call']
  return `${code(client)} is a client made by ${code(maker)} of ${code('@mintmark/transport')}${how}.`
}

/** The page of a group: its operations, and the records that no other group returns. */
function groupPage(group: Group, catalogue: Catalogue, placed: Placed, rules: readonly Rule[]): string {
  const page = pageOf(group)
  const { name, packageName, subpath, operations } = group
  const shapes = operations.map(({ shape }) => shape)
  const nameOf = namesOn(page, catalogue, placed, shapes)
  const on = { page, nameOf, rules, packageName }
  const records = placed.get(page) ?? []
  const rows = operations.map(({ shape, docs }) => [
    `[${code(shape.id.split('.')[1] ?? '')}](${linkTo(page, page, shape.id)})`,
    firstSentence(docs.summary),
  ])
  return blocks(
    `# @mintmark/${packageName}: ${name}`,
    fenced(`import { ${name} } from '@mintmark/${packageName}'\n`),
    `${clientOf(group)} The group alone, for bundles without the rest of the package: ${code(`import * as ${name} from '@mintmark/${packageName}/${subpath}'`)}.`,
    guideOf(group),
    table(['operation', 'does'], rows),
    '## Operations',
    ...operations.map((operation) => operationSection(operation, on)),
    records.length > 0 && '## Records',
    ...records.map((record) => recordSection(record, nameOf)),
  )
}

type Placed = ReturnType<typeof placeRecords>

function recordsPage(catalogue: Catalogue, placed: Placed): string {
  const nameOf = namesOn(SHARED_RECORDS, catalogue, placed)
  const records = [...(placed.get(SHARED_RECORDS) ?? [])].sort((a, b) => (a.name < b.name ? -1 : 1))
  return blocks(
    '# Records that several groups answer',
    'Records that one group alone answers stand on its page.',
    ...records.map((record) => recordSection(record, nameOf).replace(/^###/, '##')),
  )
}

/** The fields of every page. */
function pageFields(root: string, { groups }: Catalogue): readonly Field[] {
  const paged = groups.flatMap(({ operations }) => operations).find(({ shape }) => shape.paged)
  const { entries = {} } = paged === undefined ? {} : partsOf(paged.shape.data)
  const { members = {} } = docstringsOf(join(root, 'packages/envelope/src/page.ts')).get('Page') ?? {}
  const item = entries.list && partsOf(entries.list).item
  return fieldsOf(entries, members, (schema) => (schema === item ? 'what the operation answers' : undefined))
}

const TYPES = { Timestamp: 'string', Integer: 'number', Amount: 'string', Address: 'string', Hash: 'string' }

function indexPage(root: string, catalogue: Catalogue): string {
  const { packages, groups } = catalogue
  const operations = groups.flatMap((group) => group.operations)
  const scalars = docstringsOf(join(root, 'packages/envelope/src/scalars.ts'))
  const listed = [...new Set(groups.map(({ packageName }) => packageName))]
  const of = (name: string) => groups.filter(({ packageName }) => packageName === name)
  const paged = operations.find(({ shape }) => shape.paged)
  const query = fieldsOf(pageQuery, paged?.docs.fields ?? {}, () => undefined)
  const groupTable = (group: Group) =>
    table(
      ['operation', 'does', 'method and path', 'source'],
      group.operations.map(({ shape, docs }) => [
        `[${code(shape.id)}](${linkTo(INDEX, pageOf(group), shape.id)})`,
        firstSentence(docs.summary),
        code(`${shape.method} ${shape.path}`),
        shape.source,
      ]),
    )
  const links = (name: string) => of(name).map((group) => `[${group.name}](${pageOf(group)})`)
  return fill('README.md', {
    count: String(operations.length),
    groups: table(
      ['package', 'groups'],
      listed.map((name) => [code(`@mintmark/${name}`), links(name).join(', ')]),
    ),
    operations: blocks(
      ...listed.flatMap((name) => [
        `## @mintmark/${name}`,
        packages.find((each) => each.name === name)?.description,
        ...of(name).flatMap((group) => [`### ${group.name}`, groupTable(group)]),
      ]),
    ),
    types: table(
      ['type', 'in TypeScript', 'what it is'],
      Object.entries(TYPES).map(([name, type]) => [
        code(name.toLowerCase()),
        code(type),
        scalars.get(name)?.meaning ?? '',
      ]),
    ),
    pageQuery: table(
      ['pass', 'type', 'meaning'],
      query.map(({ name, type, meaning }) => [code(name), type, meaning]),
    ),
    page: table(['field', 'type', 'meaning'], answerRows(pageFields(root, catalogue))),
    list: paged?.shape.id ?? '',
  })
}

function errorsPage(
  { kinds, fields, payments }: ErrorDocs,
  rules: readonly Rule[],
  handling: string,
): string {
  const fieldTable = (members: Readonly<Record<string, string>>) =>
    table(
      ['field', 'meaning'],
      Object.entries(members).map(([name, meaning]) => [code(name), meaning]),
    )
  const ruleTable = (type: 'number' | 'string', head: string) =>
    table(
      [head, 'constant', 'exported by', 'when', 'what to do'],
      rules
        .filter(({ value }) => typeof value === type)
        .map(({ name, value, packages, docstring: { meaning, advice } }) => [
          code(String(value)),
          code(name),
          packages.map(code).join(', '),
          meaning,
          advice,
        ]),
    )
  const sections = kinds.map(({ kind, docstring: { meaning, advice, members } }) =>
    blocks(`### ${code(kind)}`, meaning, advice && `**What to do:** ${advice}`, fieldTable(members)).trim(),
  )
  return fill('errors.md', {
    handling: fenced(handling),
    overview: table(
      ['kind', 'when'],
      kinds.map(({ kind, docstring }) => [`[${code(kind)}](#${kind.toLowerCase()})`, docstring.meaning]),
    ),
    fields: fieldTable(fields),
    kinds: blocks(...sections),
    codes: ruleTable('number', 'code'),
    reasons: ruleTable('string', 'reason'),
    payments: table(
      ['reason', 'when'],
      payments.map(({ reason, meaning }) => [code(reason), meaning]),
    ),
  })
}

/** A line for each document for users, in the order in which `docs/README.md` links them. */
function guides(root: string): string {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const targets = [...read('docs/README.md').matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target)
  const linked = targets.map((target) => posix.normalize(posix.join('docs', target)))
  const existing = linked.filter((file) => file.endsWith('.md') && existsSync(join(root, file)))
  const all = globSync(['docs/*.md', 'docs/guides/*.md'], { cwd: root }).map((file) =>
    file.split(sep).join('/'),
  )
  const files = [...new Set([...existing, ...all.sort()])]
  return files
    .filter((file) => file !== 'docs/README.md' && !file.startsWith('docs/reference/'))
    .map((file) => {
      const text = read(file)
      const [title] = headingsOf(text)
      const lines = proseLines(text).slice(title?.line ?? 0)
      // The first lines that are sentences: no heading, list, table or quotation.
      const isSentence = (line: string) => /^[\p{L}`*[(]/u.test(line)
      const rest = lines.slice(lines.findIndex(isSentence))
      const end = rest.findIndex((line) => !isSentence(line))
      const paragraph = rest.slice(0, end < 0 ? undefined : end).join(' ')
      const about = firstSentence(paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
      return `- [${title?.title ?? file}](${file}): ${about}`
    })
    .join('\n')
}

function llmsText(
  root: string,
  { packages, groups }: Catalogue,
  snippets: Readonly<Record<string, string>>,
): string {
  const listed = [...new Set(groups.map(({ packageName }) => packageName))]
  const line = (group: Group) =>
    `- [${group.name}](docs/reference/${pageOf(group)}): ${group.operations.map(({ shape }) => shape.id.split('.')[1]).join(', ')}`
  return fill('llms.txt', {
    ...snippets,
    packages: blocks(
      ...listed.flatMap((name) => [
        `## @mintmark/${name}`,
        packages.find((each) => each.name === name)?.description,
        groups
          .filter(({ packageName }) => packageName === name)
          .map(line)
          .join('\n'),
      ]),
    ),
    guides: guides(root),
  })
}

/** The first example in a package's README that contains a word. */
function snippet(root: string, name: string, word: string): string {
  const file = join(root, 'packages', name, 'README.md')
  const found = blocksOfFile(file).find((block) => block.code.includes(word))
  if (found === undefined) throw new Error(`${file} has no example with ${word}`)
  return found.code
}

/** Every generated file by its path in the repository, and the docstrings that are missing. */
export async function referencePages(root: string) {
  const catalogue = await readCatalogue(root)
  const rules = await readRules(root)
  const errors = readErrors(root)
  const placed = placeRecords(catalogue)
  const handling = snippet(root, 'envelope', 'isMintmarkError')
  const llms = llmsText(root, catalogue, {
    gateway: fenced(snippet(root, 'cards', 'createGateway')),
    facilitator: fenced(snippet(root, 'facilitator', 'createFacilitator')),
    errors: fenced(handling),
  })
  const pages = new Map([
    [`docs/reference/${INDEX}`, indexPage(root, catalogue)],
    ['docs/reference/errors.md', errorsPage(errors, rules, handling)],
    [`docs/reference/${SHARED_RECORDS}`, recordsPage(catalogue, placed)],
    ...catalogue.groups.map(
      (group) => [`docs/reference/${pageOf(group)}`, groupPage(group, catalogue, placed, rules)] as const,
    ),
    ['llms.txt', llms],
  ])
  const records = [...placed.values()].flat()
  return { pages, problems: missingDocs(catalogue, records, rules, errors, pageFields(root, catalogue)) }
}
