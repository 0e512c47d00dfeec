import { join } from 'node:path'
import { pageQuery } from '@mintmark/envelope'
import type { SettingDeclarations } from '@mintmark/server-kit'
import { facilitatorSettings } from '../../../packages/facilitator-server/src/settings.ts'
import { gatewaySettings } from '../../../packages/gateway-server/src/main/settings.ts'
import {
  anchorOf,
  docstringsOf,
  type ErrorDocs,
  type Rule,
  readErrors,
  readRules,
} from '../../../tools/build/error-docs.ts'
import { fenced, fill, snippet } from '../templates.ts'
import { type Catalog, type Group, type RecordOf, readCatalog } from './catalog.ts'
import { blocks, code, firstSentence, slugOf, table } from './markdown.ts'
import { missingDocs } from './missing.ts'
import { operationSection } from './operation.ts'
import { namesOn, pageOf, placeRecords, SHARED_RECORDS } from './records.ts'
import { answerTable, type Field, fieldsOf, type NameOf, partsOf } from './schemas.ts'

const INDEX = 'index.md'
const TEMPLATES = join(import.meta.dirname, 'templates')

function recordSection(record: RecordOf, nameOf: NameOf): string {
  const fields = fieldsOf(record.entries, record.fields, nameOf)
  return blocks(`### ${record.name}`, record.summary, answerTable(fields)).trim()
}

/** Names the guide that the examples come from. */
function guideOf({ packageName, operations }: Group): string | undefined {
  const example = operations.find((operation) => operation.example !== undefined)?.example
  if (example === undefined) return undefined
  const { title, slug } = example.section ?? { title: packageName, slug: undefined }
  const anchor = slug === undefined ? '' : `#${slug}`
  return `The examples are parts of one program: [${title}](../../${packageName}.md${anchor}). What an example uses without creating it was created by an
earlier one there.`
}

function describeClient({ operations }: Group): string {
  return operations[0]?.shape.service === 'facilitator'
    ? '`facilitator` is a client made by `createFacilitator` of `@mintmark/transport`. Calls carry `Authorization: Bearer <key>` if an operation needs a key.'
    : '`gateway` is a client made by `createGateway` of `@mintmark/transport`, which signs every call. For curl, `call` is the [function for bash](../../guides/other-languages.md#curl), which signs too.'
}

/** The page of a group: its operations, and the records that no other group returns. */
function groupPage(group: Group, catalog: Catalog, placed: Placed, rules: readonly Rule[]): string {
  const page = pageOf(group)
  const { name, packageName, subpath, operations } = group
  const records = placed.get(page) ?? []
  const shapes = operations.map(({ shape }) => shape)
  const nameOf = namesOn(page, catalog, records, shapes)
  const rows = operations.map(({ shape, docs }) => [
    `[${code(shape.id.split('.')[1] ?? '')}](#${slugOf(shape.id)})`,
    firstSentence(docs.summary),
  ])
  return blocks(
    `# @mintmark/${packageName}: ${name}`,
    fenced(`import { ${name} } from '@mintmark/${packageName}'\n`),
    `${describeClient(group)} To bundle only this group: ${code(`import * as ${name} from '@mintmark/${packageName}/${subpath}'`)}.`,
    guideOf(group),
    table(['operation', 'does'], rows),
    '## Operations',
    ...operations.map((operation) => operationSection(operation, { nameOf, rules, packageName })),
    records.length > 0 && '## Records',
    ...records.map((record) => recordSection(record, nameOf)),
  )
}

type Placed = ReturnType<typeof placeRecords>

function recordsPage(catalog: Catalog, placed: Placed): string {
  const records = (placed.get(SHARED_RECORDS) ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const nameOf = namesOn(SHARED_RECORDS, catalog, records)
  return blocks(
    '# Shared records',
    'Records that several groups return. A record of one group is on its page.',
    ...records.map((record) => recordSection(record, nameOf).replace(/^###/, '##')),
  )
}

/** The fields of every page. */
function pageFields(root: string, { groups }: Catalog): readonly Field[] {
  const paged = groups.flatMap(({ operations }) => operations).find(({ shape }) => shape.paged)
  const { entries = {} } = paged === undefined ? {} : partsOf(paged.shape.data)
  const { members = {} } = docstringsOf(join(root, 'packages/envelope/src/page.ts')).get('Page') ?? {}
  const item = entries.list && partsOf(entries.list).item
  return fieldsOf(entries, members, (schema) => (schema === item ? 'what the operation returns' : undefined))
}

const TYPES = { Timestamp: 'string', Integer: 'number', Amount: 'string', Address: 'string', Hash: 'string' }

function indexPage(root: string, catalog: Catalog): string {
  const { packages, groups } = catalog
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
        `[${code(shape.id)}](${pageOf(group)}#${slugOf(shape.id)})`,
        firstSentence(docs.summary),
        code(`${shape.method} ${shape.path}`),
        shape.source,
      ]),
    )
  const links = (name: string) => of(name).map((group) => `[${group.name}](${pageOf(group)})`)
  return fill(join(TEMPLATES, 'index.md.template'), {
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
      ['field', 'type', 'meaning'],
      query.map(({ name, type, meaning }) => [code(name), type, meaning]),
    ),
    page: answerTable(pageFields(root, catalog)),
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
  const ruleSections = (type: 'number' | 'string') =>
    rules
      .filter(({ value }) => typeof value === type)
      .map(({ value, reason, name, packages, docstring: { meaning, advice } }) => {
        const word = value === reason ? code(name) : `${value}, ${code(name)}`
        const origin = `${word} of ${packages.map(code).join(', ')}.`
        return blocks(`### ${code(reason)}`, meaning, `**What to do:** ${advice}`, origin).trim()
      })
  const sections = kinds.map(({ kind, docstring: { meaning, advice, members } }) =>
    blocks(`### ${code(kind)}`, meaning, advice && `**What to do:** ${advice}`, fieldTable(members)).trim(),
  )
  return fill(join(TEMPLATES, 'errors.md.template'), {
    handling: fenced(handling),
    overview: table(
      ['kind', 'when'],
      kinds.map(({ kind, docstring }) => [`[${code(kind)}](#${anchorOf(kind)})`, docstring.meaning]),
    ),
    fields: fieldTable(fields),
    kinds: blocks(...sections),
    codes: blocks(...ruleSections('number')),
    reasons: blocks(...ruleSections('string')),
    payments: blocks(...payments.map(({ reason, meaning }) => `### ${code(reason)}\n\n${meaning}`)),
  })
}

function settingsPage(server: string, declarations: SettingDeclarations): string {
  const rows = Object.entries(declarations).map(([name, { defaultText, meaning }]) => [
    code(name),
    defaultText,
    meaning,
  ])
  return blocks(
    `# Settings of the ${server}`,
    'All settings are environment variables. An empty one counts as not set. Each can also be in a file: `SECRET_KEYS_FILE=/run/secrets/secret-keys` instead of `SECRET_KEYS`. [`doctor`](../guides/running-the-servers.md#checking-a-server) checks them.',
    table(['setting', 'default', 'meaning'], rows),
  )
}

/** Renders the reference: Markdown by path below `docs/reference`. `problems` names what has no docstring. */
export async function referencePages(root: string) {
  const catalog = await readCatalog(root)
  const rules = await readRules(root)
  const errors = readErrors(root)
  const placed = placeRecords(catalog)
  const pages = new Map([
    [INDEX, indexPage(root, catalog)],
    ['errors.md', errorsPage(errors, rules, snippet(root, 'envelope', 'isMintmarkError'))],
    [SHARED_RECORDS, recordsPage(catalog, placed)],
    ['gateway-settings.md', settingsPage('gateway', gatewaySettings)],
    ['facilitator-settings.md', settingsPage('facilitator', facilitatorSettings)],
    ...catalog.groups.map((group) => [pageOf(group), groupPage(group, catalog, placed, rules)] as const),
  ])
  const records = [...placed.values()].flat()
  const problems = missingDocs(catalog, records, rules, errors, pageFields(root, catalog))
  return { pages, problems, groups: catalog.groups }
}
