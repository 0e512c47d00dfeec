import { join } from 'node:path'
import * as envelope from '@mintmark/envelope'
import { type Docstring, docstringsOf } from './docstrings.ts'
import { blocks, code, table } from './markdown.ts'
import { HEADINGS } from './operation-section.ts'
import type { Rule } from './rules.ts'

/** An error class by its kind, with what its docstring says. */
interface ErrorKind {
  readonly kind: string
  readonly told: Docstring
}

/** Everything that is said of errors, read from the envelope's source. */
export interface ErrorWords {
  readonly kinds: readonly ErrorKind[]
  /** The fields that all errors have. */
  readonly fields: Readonly<Record<string, string>>
}

const UNTOLD: Docstring = { meaning: '', advice: '', members: {} }

/** The classes that a call can end in, in the order of the source. */
export function readErrors(root: string): ErrorWords {
  const docstrings = docstringsOf(join(root, 'packages/envelope/src/errors.ts'))
  const order = [...docstrings.keys()]
  const kinds = Object.values(envelope)
    .flatMap((value) => (typeof value === 'function' && 'kind' in value ? [String(value.kind)] : []))
    .sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const { members } = docstrings.get('ErrorDetails') ?? UNTOLD
  const own = docstrings.get('MintmarkError')?.members
  return {
    kinds: kinds.map((kind) => ({ kind, told: docstrings.get(kind) ?? UNTOLD })),
    fields: { ...own, ...members },
  }
}

const fieldTable = (fields: Readonly<Record<string, string>>) =>
  table(
    ['field', 'meaning'],
    Object.entries(fields).map(([name, meaning]) => [code(name), meaning]),
  )

function kindSection({ kind, told }: ErrorKind): string {
  return blocks(
    `### ${code(kind)}`,
    told.meaning,
    told.advice && `**What to do:** ${told.advice}`,
    fieldTable(told.members),
  ).trim()
}

const EVERY_CALL = `Whatever it is, a call can end in \`InvalidInput\` (before anything is sent, too), \`Unauthorized\`, \`Forbidden\`, \`RateLimited\`,
\`Server\`, \`Timeout\`, \`Network\` and \`UnexpectedResponse\`; one that writes also in \`UnknownOutcome\`, and, where it carries an
idempotency key, in \`Conflict\`. What an operation can be refused with besides stands at the operation.`

function rows(rules: readonly Rule[]): readonly (readonly string[])[] {
  return rules.map(({ name, value, packages, told }) => [
    code(String(value)),
    code(name),
    packages.map((each) => code(each)).join(', '),
    told.meaning,
    told.advice,
  ])
}

/** The page of errors: how to tell them apart, each class, each rule. */
export function errorsPage({ kinds, fields }: ErrorWords, rules: readonly Rule[], handling: string): string {
  const codes = rules.filter(({ value }) => typeof value === 'number')
  const reasons = rules.filter(({ value }) => typeof value === 'string')
  const head = ['constant', 'exported by', 'when', 'what to do']
  return blocks(
    '# Errors',
    `A call ends in its data or in one of these. They are classes of \`@mintmark/envelope\`; \`isMintmarkError\` tells them from all
other errors, \`kind\` says which it is, also between two copies of the package.`,
    `\`\`\`ts\n${handling}\`\`\``,
    table(
      ['kind', 'when'],
      kinds.map(({ kind, told }) => [`[${code(kind)}](#${kind.toLowerCase()})`, told.meaning]),
    ),
    `## ${HEADINGS.everyCall}`,
    EVERY_CALL,
    '## Fields of every error',
    'Fields that are not known are absent. No error holds a secret, a signature or a token.',
    fieldTable(fields),
    '## Kinds',
    ...kinds.map(kindSection),
    `## ${HEADINGS.codes}`,
    `What a rule of the gateway refuses with: \`code\` of the error, five digits, of which the first three are the HTTP status. 401 is
\`Unauthorized\`, 403 \`Forbidden\`, 503 \`Server\`, the others are \`Refused\`. Compare the code with the constant; \`message\` is for people.`,
    table(['code', ...head], rows(codes)),
    `## ${HEADINGS.reasons}`,
    `What a rule of the facilitator refuses with: \`reason\` of the error, the \`error\` of its answer. A payment that cannot be verified or
settled has a reason in [x402's words](https://www.x402.org), such as \`insufficient_funds\`; one that was settled before has
\`duplicate_settlement\`.`,
    table(['reason', ...head], rows(reasons)),
  )
}
