import type { Context, Hono } from 'hono'
import type { Tenant } from '../../database/tenant.ts'
import { findMedia } from './media-store.ts'
import { MEDIA_PATH } from './media-url.ts'
import type { ByteRange, MediaStorage } from './storage/media-storage.ts'

/** A picture is data: no script runs in it, and pages of all sites may show it. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

export interface MediaFileOptions {
  readonly storage: MediaStorage
  /** Returns undefined for a project that does not exist. */
  findProject(project: number): Promise<Tenant | undefined>
}

/**
 * Serves uploaded pictures to everybody who knows their address. The bytes at an address never change, so
 * browsers and proxies keep them.
 */
export function addMediaFiles(app: Hono, { storage, findProject }: MediaFileOptions): void {
  app.get(`${MEDIA_PATH}:project{[1-9][0-9]{0,14}}/:file{[0-9a-f]{64}\\.webp}`, async (context) => {
    const hash = context.req.param('file').slice(0, -'.webp'.length)
    const tenant = await findProject(Number(context.req.param('project')))
    const row = tenant && (await findMedia(tenant, hash))
    if (row === undefined) return refuse(context, 404)
    const headers = {
      ...HEADERS,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/webp',
      etag: `"${hash}"`,
    }
    if (matches(context.req.header('if-none-match'), headers.etag)) return context.body(null, 304, headers)
    const range = readRange(context, headers.etag, row.bytes)
    if (range === 'unsatisfiable') return refuse(context, 416, { 'content-range': `bytes */${row.bytes}` })
    const { start, end } = range ?? { start: 0, end: row.bytes - 1 }
    const partial = range && { 'content-range': `bytes ${start}-${end}/${row.bytes}` }
    const sized = { ...headers, ...partial, 'content-length': String(end - start + 1) }
    const status = range === undefined ? 200 : 206
    if (context.req.method === 'HEAD') return context.body(null, status, sized)
    const body = await storage.read(row.object, { start, end })
    return body === undefined ? refuse(context, 404) : context.body(body, status, sized)
  })
}

function refuse(context: Context, status: 404 | 416, headers: Record<string, string> = {}): Response {
  const text = status === 404 ? 'No such picture' : 'The picture is shorter'
  return context.text(text, status, { ...HEADERS, 'cache-control': 'no-store', ...headers })
}

/** Whether a list of entity tags contains this one. */
function matches(tags: string | undefined, etag: string): boolean {
  const list = (tags ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return list.includes(etag) || tags === '*'
}

/** Returns the requested part. Undefined for the whole picture, also if several parts are requested. */
function readRange({ req }: Context, etag: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const condition = req.header('if-range')
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(req.header('range') ?? '') ?? []
  if (from === undefined || to === undefined || from + to === '') return undefined
  if (condition !== undefined && condition !== etag) return undefined
  const isSuffix = from === ''
  const start = isSuffix ? Math.max(0, bytes - Number(to)) : Number(from)
  const end = isSuffix || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (!isSuffix && to !== '' && Number(to) < start) return undefined
  return start > end ? 'unsatisfiable' : { start, end }
}
