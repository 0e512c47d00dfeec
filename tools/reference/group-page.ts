import type { Catalogue, Group, RecordOf } from './catalogue.ts'
import { answeredRows, fieldsOfRecord } from './fields.ts'
import { blocks, code, firstSentence, table } from './markdown.ts'
import { operationSection } from './operation-section.ts'
import { linkTo, namesOn, pageOf } from './record-places.ts'
import type { Rule } from './rules.ts'
import type { NameOf } from './schema-words.ts'

/** A record with its fields. */
export function recordSection(record: RecordOf, nameOf: NameOf): string {
  const rows = answeredRows(fieldsOfRecord(record, nameOf))
  return blocks(`### ${record.name}`, record.summary, table(['field', 'type', 'meaning'], rows)).trim()
}

function guideOf({ packageName, operations }: Group): string | undefined {
  const example = operations.find((operation) => operation.example !== undefined)?.example
  if (example === undefined) return undefined
  const { title, anchor } =
    example.section === undefined
      ? { title: packageName, anchor: '' }
      : { title: example.section.title, anchor: `#${example.section.slug}` }
  return `The examples come from one program, which goes through them in order: [${title}](../../${packageName}.md${anchor}). What an example uses
and does not make itself was made by one before it there.`
}

/** How calls are authenticated, and what the examples take as given. */
function callingOf({ operations }: Group): string {
  const facilitator = operations[0]?.shape.door === 'facilitator'
  return facilitator
    ? `${code('facilitator')} is a client made by ${code('createFacilitator')} of ${code('@mintmark/transport')}; calls carry ${code('Authorization: Bearer <key>')} where an operation needs a key.`
    : `${code('gateway')} is a client made by ${code('createGateway')} of ${code('@mintmark/transport')}, which signs every call.`
}

/** The page of a group: its operations at a glance, each in full, and the records that no other group answers. */
export function groupPage(
  group: Group,
  catalogue: Catalogue,
  placed: ReadonlyMap<string, readonly RecordOf[]>,
  rules: readonly Rule[],
): string {
  const page = pageOf(group)
  const nameOf = namesOn(
    page,
    catalogue,
    placed,
    group.operations.map(({ shape }) => shape),
  )
  const { name, packageName, subpath, operations } = group
  const on = { page, nameOf, rules, packageName }
  const records = placed.get(page) ?? []
  return blocks(
    `# @mintmark/${packageName}: ${name}`,
    `\`\`\`ts\nimport { ${name} } from '@mintmark/${packageName}'\n\`\`\``,
    `${callingOf(group)} The group alone, for bundles without the rest of the package: ${code(`import * as ${group.name} from '@mintmark/${packageName}/${subpath}'`)}.`,
    guideOf(group),
    table(
      ['operation', 'does'],
      operations.map(({ shape, told }) => [
        `[${code(shape.id.split('.')[1] ?? '')}](${linkTo(page, page, shape.id)})`,
        firstSentence(told.summary),
      ]),
    ),
    '## Operations',
    ...operations.map((operation) => operationSection(operation, on)),
    records.length > 0 ? '## Records' : undefined,
    ...records.map((record) => recordSection(record, nameOf)),
  )
}
