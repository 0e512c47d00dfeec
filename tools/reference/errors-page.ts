import { join } from 'node:path'
import * as envelope from '@mintmark/envelope'
import { reasons } from '../../packages/facilitator-server/src/payment/reasons.ts'
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
  /** What a payment cannot be verified or settled for, in x402's words. */
  readonly payments: readonly { readonly reason: string; readonly meaning: string }[]
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
  const payments = docstringsOf(join(root, 'packages/facilitator-server/src/payment/reasons.ts')).get(
    'reasons',
  )
  return {
    payments: Object.entries(reasons).map(([name, reason]) => ({
      reason,
      meaning: payments?.members[name] ?? '',
    })),
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
export function errorsPage(
  { kinds, fields, payments }: ErrorWords,
  rules: readonly Rule[],
  handling: string,
): string {
  const codes = rules.filter(({ value }) => typeof value === 'number')
  const reasonRules = rules.filter(({ value }) => typeof value === 'string')
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
    'What a rule of the facilitator refuses with: `reason` of the error, the `error` of its answer. `payer_mismatch` is `Forbidden`, the others are `Refused`.',
    table(['reason', ...head], rows(reasonRules)),
    '## Reasons of payments',
    `Why a payment cannot be verified or settled: \`reason\` of what \`payments.verify\` answers and of the \`Refused\` that
\`payments.settle\` ends in. The words are those of [x402](https://www.x402.org) and its packages; another facilitator behind this one may have more.
A payment that was settled already, or is being settled by another call, has \`duplicate_settlement\`.`,
    table(
      ['reason', 'when'],
      payments.map(({ reason, meaning }) => [code(reason), meaning]),
    ),
  )
}
