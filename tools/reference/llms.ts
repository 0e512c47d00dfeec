import type { Catalogue } from './catalogue.ts'
import { blocks } from './markdown.ts'
import { pageOf } from './record-places.ts'

/** Code that documents show and tests compile. */
export interface Snippets {
  readonly gateway: string
  readonly facilitator: string
  readonly errors: string
}

/** A document that `llms.txt` points at. */
export interface Guide {
  /** From the repository's top. */
  readonly file: string
  readonly title: string
  /** Its first sentence. */
  readonly about: string
}

const fenced = (code: string) => `\`\`\`ts\n${code}\`\`\``

/** `llms.txt`: what a language model has to know to write a first call, and where the rest stands (llmstxt.org). */
export function llmsText(
  { packages, groups }: Catalogue,
  snippets: Snippets,
  guides: readonly Guide[],
): string {
  const listed = [...new Set(groups.map(({ packageName }) => packageName))]
  return blocks(
    '# Mintmark',
    `> TypeScript client packages for an NFT marketplace gateway and an x402 micropayment facilitator, and the two servers. One package a domain; an
> operation is a function that takes a client, one flat object of input, and options, and resolves to typed data or throws a typed error.`,
    `Install the transport and the domain packages that you call: \`npm install @mintmark/transport @mintmark/cards\` (Node 22 or later, browsers,
Deno, Bun, edge runtimes; ESM only). Gateway calls are signed with an API key and its secret, which belong on a server; facilitator calls carry a token.`,
    'A first call of the gateway (`baseUrl`, `apiKey` and `secret` come from its operator):',
    fenced(snippets.gateway),
    'Of the facilitator (`paymentPayload` is what the payer signed, `paymentRequirements` what the seller asks for, both as x402 has them):',
    fenced(snippets.facilitator),
    'Errors are told apart by `kind`; `NotFound`, `Refused` (a rule said no: compare `code` with an exported constant), `InvalidInput` (`issues` names the fields) and so on:',
    fenced(snippets.errors),
    [
      '- Timestamps are ISO 8601 strings, amounts are decimal strings in base units, addresses are `0x` strings in any case.',
      '- A list answers a page; `for await (const item of group.list.items(gateway, input))` goes on by itself.',
      "- Reads are repeated by themselves; a POST becomes safe to repeat with `{ idempotencyKey: 'auto' }` as the third argument.",
      '- Names are exactly those of the reference: no other operations, fields or options exist.',
    ].join('\n'),
    '## Reference',
    [
      '- [All operations](docs/reference/README.md): name, method, path; types, paging, scopes',
      '- [Errors](docs/reference/errors.md): every kind, code and reason, with what to do',
      '- [Shared records](docs/reference/records.md): records that several groups answer',
    ].join('\n'),
    ...listed.flatMap((name) => [
      `## @mintmark/${name}`,
      packages.find((each) => each.name === name)?.description,
      groups
        .filter(({ packageName }) => packageName === name)
        .map(
          (group) =>
            `- [${group.name}](docs/reference/${pageOf(group)}): ${group.operations.map(({ shape }) => shape.id.split('.')[1]).join(', ')}`,
        )
        .join('\n'),
    ]),
    '## Guides',
    guides.map(({ file, title, about }) => `- [${title}](${file}): ${about}`).join('\n'),
  )
}
