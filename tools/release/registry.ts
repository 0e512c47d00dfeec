import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'

/** A version as `npm publish` sends it, and as `npm install` reads it. */
interface Version {
  readonly version: string
  readonly dist: { readonly integrity: string; readonly shasum: string; readonly tarball: string }
}

/** The body of a publish: one version, its tarball in base64. */
interface Publication {
  readonly name: string
  readonly 'dist-tags': Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, Version>>
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

/** An npm registry on this machine, for our packages alone, kept in memory. */
export interface Registry {
  /** Lines of an `.npmrc` that make npm use this registry for the packages of our scope. */
  readonly npmrc: string
  /** Lines of an `.npmrc` that make npm publish every package here. */
  readonly publishingNpmrc: string
  /** What was published, as `name@version`, in its order. */
  readonly published: readonly string[]
  /**
   * Returns what to pass to `npm install` for the newest version of a package. Packages without a scope are
   * installed by the address of their tarball.
   */
  specifierOf(name: string): string
  close(): Promise<void>
}

interface Stored {
  readonly packages: Map<string, Publication>
  /** By the path of their address. */
  readonly tarballs: Map<string, Buffer>
  readonly published: string[]
}

/**
 * Stores one version beside the versions that were published before, with the address of its tarball below
 * `base`.
 */
function store(stored: Stored, base: URL, { name, versions, _attachments, ...sent }: Publication): void {
  const { packages, tarballs, published } = stored
  const earlier = packages.get(name)
  const located = Object.values(versions).map((version) => {
    const [attachment] = Object.values(_attachments)
    if (attachment === undefined) throw new Error(`${name} came without a tarball`)
    const path = `${name}/-/${version.version}.tgz`
    tarballs.set(path, Buffer.from(attachment.data, 'base64'))
    published.push(`${name}@${version.version}`)
    return [version.version, { ...version, dist: { ...version.dist, tarball: `${base}${path}` } }] as const
  })
  packages.set(name, {
    ...sent,
    name,
    'dist-tags': { ...earlier?.['dist-tags'], ...sent['dist-tags'] },
    versions: { ...earlier?.versions, ...Object.fromEntries(located) },
    _attachments: {},
  })
}

/** Starts a registry that stores what `npm publish` sends and serves it to `npm install`. */
export async function startRegistry(): Promise<Registry> {
  const stored: Stored = { packages: new Map(), tarballs: new Map(), published: [] }
  const { packages, tarballs, published } = stored
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => send(response, 500, { error: String(error) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the registry has no port')
  // npm caches responses by address, and ports are reused.
  const host = `//127.0.0.1:${address.port}/${randomUUID()}/`
  const base = new URL(`http:${host}`)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', base)
    const path = decodeURIComponent(pathname.slice(base.pathname.length))
    const tarball = tarballs.get(path)
    if (request.method === 'PUT') {
      const publication = (await json(request)) as Publication
      store(stored, base, publication)
      send(response, 201, { ok: true })
    } else if (tarball !== undefined) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(tarball)
    } else {
      const found = packages.get(path)
      send(response, found === undefined ? 404 : 200, found ?? { error: `${path} is not here` })
    }
  }

  const npmrc = `@mintmark:registry=${base}\n${host}:_authToken=rehearsal\n`
  return {
    npmrc,
    publishingNpmrc: `registry=${base}\n${npmrc}`,
    published,
    specifierOf(name) {
      const latest = packages.get(name)?.['dist-tags'].latest
      if (latest === undefined) return name
      return name.startsWith('@') ? `${name}@${latest}` : `${name}@${base}${name}/-/${latest}.tgz`
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
