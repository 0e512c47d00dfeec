import type { GatewayEvent } from '@mintmark/events'

/** What the page of a subject needs of an event. */
type SubjectEvent = Pick<GatewayEvent, 'subject' | 'data'>

/**
 * Finds the page of what an event happened to, below the address of the project. Undefined for what has no page.
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

/** Returns the address of a page by the id of a subject and its record; `''` if the record lacks what the address needs. */
type ToPath = (id: string, data: ReadonlyMap<string, unknown>) => string

/** The addresses of pages by the kind of a subject. */
const paths: ReadonlyMap<string, ToPath> = new Map<string, ToPath>([
  [
    'order',
    // The page of an order is found by its number, which is in the record.
    (_, data) => {
      const orderNo = data.get('orderNo')
      return typeof orderNo === 'string' ? `orders/${encodeURIComponent(orderNo)}` : ''
    },
  ],
  ['webhook', (id) => `webhooks/${id}`],
])
