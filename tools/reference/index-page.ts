import { join } from 'node:path'
import { pageQuery } from '@mintmark/envelope'
import type { Source } from '@mintmark/transport/operation'
import type { Catalogue, Group } from './catalogue.ts'
import { docstringsOf } from './docstrings.ts'
import { answeredRows, type Field, fieldsOf } from './fields.ts'
import { blocks, code, firstSentence, table } from './markdown.ts'
import { HEADINGS } from './operation-section.ts'
import { linkTo, pageOf } from './record-places.ts'
import { partsOf } from './schema-parts.ts'

const INDEX = 'README.md'

const SOURCES: Readonly<Record<Source, string>> = {
  stated:
    'The specification gives method, path and shapes. Nothing about it changes, and it cannot be sent elsewhere.',
  method: 'The specification gives the name and the method; the path and the shapes are ours.',
  name: 'The specification gives the name alone; the method, the path and the shapes are ours.',
  added: 'Ours: the specification does not name it, but what it names cannot work without.',
  own: 'Ours: the specification knows nothing of it.',
}

const TYPES = [
  ['timestamp', 'Timestamp', 'string'],
  ['integer', 'Integer', 'number'],
  ['amount', 'Amount', 'string'],
  ['address', 'Address', 'string'],
  ['hash', 'Hash', 'string'],
] as const

const REPEATING = `The clients repeat by themselves what is safe to repeat, after a network error, a time-out, 429 or 5xx: what reads, and writes that
do the same when they are sent twice. Other writes end in [\`UnknownOutcome\`](errors.md#unknownoutcome) when no answer told what became of them. Where an
operation is "safe to repeat with an idempotency key", pass one: \`promoCodeCards.create(gateway, input, { idempotencyKey: 'auto' })\`. The gateway
keeps its answer for 24 hours and gives it again, the facilitator that of a settle; and the client repeats the call as it does a read.`

const SCOPES = `Every call of the gateway is signed with an API key, every call of the facilitator carries one; the clients do both. A gateway's key has scopes: an operation's says what the key must be allowed to do, otherwise the call
ends in [\`Forbidden\`](errors.md#forbidden). A facilitator's key may do what its account may. "No key needed" says that the operation answers who sends none; one that is
sent must be right.`

const HEADERS = [
  [
    '`X-Api-Key`, `X-Timestamp`, `X-Signature`',
    'sent to the gateway',
    'who is asking, when, and the [signature](../../packages/core-auth/README.md)',
  ],
  ['`Authorization`', 'sent to the facilitator', '`Bearer <key>`'],
  ['`Idempotency-Key`', 'sent where the caller gives one', 'makes a write safe to repeat'],
  [
    '`X-Request-Id`',
    'answered',
    'what the operator finds the call by: `requestId` of errors and of `withResponse`',
  ],
  ['`Retry-After`', 'answered with 429 and 503', 'seconds to wait: `retryAfter` of errors'],
  ['`PAYMENT-RESPONSE`', 'answered by `payments.settle`', 'the settlement as x402 has it, base64 of JSON'],
] as const

const X402 = `Stock x402 software finds verify, settle and supported with x402's own answers under \`/x402\` of the facilitator: see
[its README](../../packages/facilitator-server/README.md).`

function groupTable(group: Group): string {
  return table(
    ['operation', 'does', 'method and path', 'source'],
    group.operations.map(({ shape, told }) => [
      `[${code(shape.id)}](${linkTo(INDEX, pageOf(group), shape.id)})`,
      firstSentence(told.summary),
      code(`${shape.method} ${shape.path}`),
      shape.source,
    ]),
  )
}

/** The fields of every page, with what the envelope's `Page` says of them. */
export function pageFields(root: string, { groups }: Catalogue): readonly Field[] {
  const paged = groups.flatMap(({ operations }) => operations).find(({ shape }) => shape.paged)
  const { entries = {} } = paged === undefined ? {} : partsOf(paged.shape.data)
  const { members = {} } = docstringsOf(join(root, 'packages/envelope/src/page.ts')).get('Page') ?? {}
  const items = entries.list && partsOf(entries.list).item
  return fieldsOf(entries, members, (schema) => (schema === items ? 'what the operation answers' : undefined))
}

function pagesPart(root: string, catalogue: Catalogue): readonly string[] {
  const { groups } = catalogue
  const paged = groups.flatMap(({ operations }) => operations).find(({ shape }) => shape.paged)
  const asked = fieldsOf(pageQuery, paged?.told.fields ?? {}, () => undefined)
  const example = paged?.shape.id
  return [
    `A list is asked for by a page query, whose fields may all be left out:`,
    table(
      ['pass', 'type', 'meaning'],
      asked.map(({ name, type, meaning }) => [code(name), type, meaning]),
    ),
    'and answered as a page:',
    table(['field', 'type', 'meaning'], answeredRows(pageFields(root, catalogue))),
    `\`${example}.items(gateway, input)\` goes on to the last page by itself, an item at a time; \`.pages\` does, a page at a time.`,
  ]
}

/** The first page of the reference: how to read it, and every operation. */
export function indexPage(root: string, catalogue: Catalogue): string {
  const { packages, groups } = catalogue
  const scalars = docstringsOf(join(root, 'packages/envelope/src/scalars.ts'))
  const count = groups.reduce((sum, { operations }) => sum + operations.length, 0)
  const listed = [...new Set(groups.map(({ packageName }) => packageName))]
  return blocks(
    '# Reference',
    `Every operation of the two interfaces, ${count} in all: what to pass, what comes back, what it can be refused with, and an example. An operation is
a function of its package that takes a client, one flat object and options:`,
    '```ts\nconst card = await promoCodeCards.get(gateway, { id: 7 }, { timeout: 5000 })\n```',
    'It resolves to its data or ends in one of the [errors](errors.md). Records that several groups answer stand on [a page of their own](records.md).',
    table(
      ['package', 'groups'],
      listed.map((name) => [
        code(`@mintmark/${name}`),
        groups
          .filter(({ packageName }) => packageName === name)
          .map((group) => `[${group.name}](${pageOf(group)})`)
          .join(', '),
      ]),
    ),
    ...listed.flatMap((name) => [
      `## @mintmark/${name}`,
      packages.find((each) => each.name === name)?.description,
      ...groups
        .filter(({ packageName }) => packageName === name)
        .flatMap((group) => [`### ${group.name}`, groupTable(group)]),
    ]),
    '## How to read it',
    `### ${HEADINGS.types}`,
    table(
      ['type', 'in TypeScript', 'what it is'],
      TYPES.map(([word, name, type]) => [code(word), code(type), scalars.get(name)?.meaning ?? '']),
    ),
    '`string`, `number` and `boolean` are themselves, lists are arrays. `phases[].price` is the field `price` of each object in the list `phases`. Servers may add fields to what they answer.',
    `### ${HEADINGS.paging}`,
    ...pagesPart(root, catalogue),
    `### ${HEADINGS.scopes}`,
    SCOPES,
    '### Headers',
    table(['header', 'is', 'and says'], HEADERS),
    X402,
    `### ${HEADINGS.repeating}`,
    REPEATING,
    `### ${HEADINGS.sources}`,
    table(
      ['source', 'what it says'],
      Object.entries(SOURCES).map(([source, words]) => [source, words]),
    ),
    `An address that is not stated can be changed for a server that answers elsewhere: \`createGateway({ …, routes: [reroute(fans.add, { path })] })\`. What the
specification leaves open, and our answers: [specification gaps](../specification-gaps.md).`,
  )
}
