import { layerOf } from '../check/layers.ts'
import type { Packed } from './pack.ts'

/** A project of somebody who wants some of our packages and nothing else. */
export interface Scratch {
  readonly name: string
  /** The packages they ask for; what those depend on comes along. */
  readonly wanted: readonly string[]
}

/** One project for each package of a domain, with transport beside it; one for all clients together; one for each server. */
export function scratchProjects(packed: readonly Packed[]): readonly Scratch[] {
  const inLayer = (layer: string) =>
    packed.filter(({ manifest }) => layerOf(manifest) === layer).map(({ manifest }) => manifest.name)
  const domains = inLayer('domain')
  const alone = (name: string) => name.replace('@mintmark/', '')
  return [
    ...domains.map((name) => ({ name: alone(name), wanted: ['@mintmark/transport', name] })),
    { name: 'all-clients', wanted: [...inLayer('core'), ...domains] },
    ...inLayer('server').map((name) => ({ name: alone(name), wanted: [name] })),
  ]
}

/** The packed packages that some depend on, themselves included. */
export function closure(wanted: readonly string[], packed: readonly Packed[]): readonly Packed[] {
  const reached = new Set<string>()
  const visit = (name: string) => {
    const found = packed.find(({ manifest }) => manifest.name === name)
    if (found === undefined || reached.has(name)) return
    reached.add(name)
    Object.keys({ ...found.manifest.dependencies }).forEach(visit)
  }
  wanted.forEach(visit)
  return packed.filter(({ manifest }) => reached.has(manifest.name))
}

const READS_CARD = `
import { createGateway } from '@mintmark/transport'
import { type PromoCodeCard, promoCodeCards } from '@mintmark/cards'
const gateway = createGateway({
  baseUrl: 'http://localhost',
  credentials: { apiKey: 'key', secret: 'secret' },
  fetch: async () => Response.json({ success: false, code: 404, msg: 'none', data: {} }, { status: 404 }),
})
const card: PromoCodeCard | string = await promoCodeCards.get(gateway, { id: 7 }).catch((error) => error.kind)
if (card !== 'NotFound') throw new Error('a call through the packed packages came to ' + JSON.stringify(card))
// @ts-expect-error: the id is a number
promoCodeCards.get(gateway, { id: 'seven' }).catch(() => undefined)
`

/** Programs, by file name, that compile and run when the wanted packages work: each entry is loaded, and a card is read. */
export function programsFor(
  wanted: readonly string[],
  packed: readonly Packed[],
): Readonly<Record<string, string>> {
  const entries = packed
    .filter(({ manifest }) => wanted.includes(manifest.name))
    .flatMap(({ manifest }) =>
      Object.entries(manifest.exports ?? {})
        .filter(([, targets]) => typeof targets !== 'string')
        .map(([subpath]) => `${manifest.name}${subpath.slice(1)}`),
    )
  const imports = entries.map((entry, index) => `import * as entry${index} from '${entry}'`).join('\n')
  const uses = `if ([${entries.map((_, index) => `entry${index}`).join(', ')}].some((entry) => !entry)) throw new Error('empty')\n`
  return {
    'entries.ts': `${imports}\n${uses}`,
    ...(wanted.includes('@mintmark/cards') && { 'read-card.ts': READS_CARD }),
  }
}
