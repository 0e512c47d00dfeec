import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Hono } from 'hono'

const compress = promisify(gzip)

/** The path of the console's pages. */
export const CONSOLE_PATH = '/console'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}
/** The end of the names of files that the build compressed. */
const BROTLI = '.br'
const COMPRESSED = new Set(['.css', '.html', '.js', '.json', '.svg', '.webmanifest'])

/**
 * Nothing is loaded from elsewhere: the gateway serves the images that tenants name. No inline script
 * runs, so that stored text cannot become one.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=()',
  // The address of an invitation is a secret.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

type Bytes = Uint8Array<ArrayBuffer>

interface StoredFile {
  readonly body: Bytes
  /** The body in each encoding that the file has, the smallest first. */
  readonly encoded: readonly (readonly [encoding: string, body: Bytes])[]
  readonly type: string
}

/**
 * Reads the files of a folder when they are first requested. Only names that the folder lists are ever
 * opened.
 */
function createFileStore(folder: string) {
  let names: Promise<ReadonlySet<string>> | undefined
  const files = new Map<string, Promise<StoredFile>>()

  async function listNames(): Promise<ReadonlySet<string>> {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new Set(paths.map((path) => relative(folder, path).split(sep).join('/')))
  }

  return async (name: string): Promise<StoredFile | undefined> => {
    names ??= listNames()
    try {
      if (!(await names).has(name)) return undefined
    } catch (error) {
      names = undefined
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    const hasBrotli = (await names).has(`${name}${BROTLI}`)
    const file = files.get(name) ?? readStoredFile(join(folder, name), hasBrotli)
    files.set(name, file)
    return await file
  }
}

async function readStoredFile(path: string, hasBrotli: boolean): Promise<StoredFile> {
  const extension = extname(path)
  const body = new Uint8Array(await readFile(path))
  const encoded: [string, Bytes][] = []
  if (hasBrotli) encoded.push(['br', new Uint8Array(await readFile(`${path}${BROTLI}`))])
  if (COMPRESSED.has(extension)) encoded.push(['gzip', new Uint8Array(await compress(body, { level: 9 }))])
  return { body, encoded, type: TYPES[extension] ?? 'application/octet-stream' }
}

const NOT_BUILT =
  'The console is not built. Run npm run build, or install @mintmark/console from the registry'

/**
 * Serves the console: its files, and its page for every other path below `/console`, because the page finds
 * its view by the address. Files below `assets/` have names that change with their contents, so browsers keep
 * them.
 */
export function addConsoleFiles(app: Hono, folder: string): void {
  const find = createFileStore(folder)
  app.get(CONSOLE_PATH, (context) => context.redirect(`${CONSOLE_PATH}/`, 308))
  app.get(`${CONSOLE_PATH}/*`, async (context) => {
    const name = context.req.path.slice(CONSOLE_PATH.length + 1)
    const file = await find(name)
    if (file === undefined && name.startsWith('assets/')) return context.text('No such file', 404, HEADERS)
    const found = file ?? (await find('index.html'))
    if (found === undefined) return context.text(NOT_BUILT, 503, HEADERS)
    const accepted = context.req.header('accept-encoding')
    const [encoding, body] = found.encoded.find(([each]) => accepts(accepted, each)) ?? ['', found.body]
    return context.body(body, 200, {
      ...HEADERS,
      'content-type': found.type,
      'cache-control': name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'Accept-Encoding',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    })
  })
}

/** Whether a header `Accept-Encoding` names an encoding, and not with the weight 0. */
function accepts(header = '', encoding: string): boolean {
  const entries = header.split(',').map((entry) => entry.replaceAll(/\s/g, '').toLowerCase())
  return entries.some((entry) => {
    const [name, weight = ''] = entry.split(';')
    return name === encoding && !/^q=0(\.0*)?$/.test(weight)
  })
}
