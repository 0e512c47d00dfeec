import type { GatewayEvent } from '@mintmark/events'

/** What the page of a subject needs of an event. */
type SubjectEvent = Pick<GatewayEvent, 'subject' | 'data'>

/**
 * Finds the page of what an event happened to, below the address of the project. Undefined for what has no
 * page.
 *
 * @example findSubjectPath({ subject: 'webhook/7', data: {} }) // 'webhooks/7'
 */
export function findSubjectPath({ subject, data }: SubjectEvent): string | undefined {
  const [kind = '', id = ''] = splitSubject(subject)
  const path = paths.get(kind)?.(encodeURIComponent(id), new Map(Object.entries<unknown>({ ...data })))
  return path === '' ? undefined : path
}

/** Splits a subject into its kind and its id. */
function splitSubject(subject: string): readonly [kind: string, id: string] {
  const place = subject.indexOf('/')
  return place < 0 ? [subject, ''] : [subject.slice(0, place), subject.slice(place + 1)]
}

/** Finds the name or the number by which people know the record of an event; `''` if it has none. */
export function findRecordName(data: object): string {
  const [first = ''] = [data, ...Object.values(data)].map(readName).filter((name) => name !== '')
  return first
}

function readName(record: unknown): string {
  const fields = new Map(Object.entries<unknown>(record instanceof Object ? { ...record } : {}))
  const names = ['orderNo', 'name', 'title'].map((field) => fields.get(field))
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? ''
}

/**
 * Returns the address of a page by the id of a subject and its record; `''` if the record lacks what the
 * address needs.
 */
type ToPath = (id: string, data: ReadonlyMap<string, unknown>) => string

/** Returns an address whose parts are texts of the record. */
function joinFields(folder: string, ...fields: readonly string[]): ToPath {
  return (_, data) => {
    const parts = fields.map((field) => data.get(field))
    const isComplete = parts.every((part) => typeof part === 'string' && part !== '')
    return isComplete ? [folder, ...parts.map((part) => encodeURIComponent(String(part)))].join('/') : ''
  }
}

/** The addresses of pages by the kind of a subject. */
const paths: ReadonlyMap<string, ToPath> = new Map<string, ToPath>([
  ['order', joinFields('orders', 'orderNo')],
  ['contract', joinFields('contracts', 'nftAddress')],
  ['nft', joinFields('nfts', 'nftAddress', 'nftId')],
  ['wallet', (id) => `wallets/${id}`],
  ['auction', (id) => `market/auctions/${id}`],
  ['webhook', (id) => `webhooks/${id}`],
])
