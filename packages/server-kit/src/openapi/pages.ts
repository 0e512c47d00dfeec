import { readFile } from 'node:fs/promises'
import type { Hono } from 'hono'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { json } from '../http/serve.ts'
import type { ServerMetrics } from '../process/metrics.ts'
import { addMetricsRoute, type MetricsAccess } from '../process/serve-metrics.ts'
import type { Descriptions } from './openapi.ts'

const assets = new URL('../../dist/assets/', import.meta.url)

/** Reads a file of the build. Returns undefined without a build. */
async function readAsset(name: string): Promise<string | undefined> {
  try {
    return await readFile(new URL(name, assets), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Reads the docstrings that the build extracted from the sources. Returns undefined without a build. */
async function readDescriptions(): Promise<Descriptions | undefined> {
  const text = await readAsset('descriptions.json')
  return text === undefined ? undefined : (JSON.parse(text) as Descriptions)
}

/**
 * Returns a function that creates the text of an OpenAPI document, once. It creates it again while there are no
 * docstrings, because the sandbox of a checkout starts before its packages are built.
 */
export function createDocumentReader(
  create: SystemRoutes['createDocument'],
  read: () => Promise<Descriptions | undefined> = readDescriptions,
): () => Promise<string> {
  let document: string | undefined
  return async () => {
    if (document !== undefined) return document
    const descriptions = await read()
    const text = JSON.stringify(create(descriptions))
    if (descriptions !== undefined) document = text
    return text
  }
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

export interface SystemRoutes {
  title: string
  metrics: ServerMetrics
  /** Who may read `/metrics`. Undefined: nobody. */
  metricsAccess?: MetricsAccess | undefined
  /** Creates the OpenAPI document. The docstrings are those of the build. */
  createDocument: (descriptions: Descriptions | undefined) => object
  /** Responds with 503 when `status` is not 'ok'. Omit it when an operation has the path `/health`. */
  health?: () => Promise<{ status: string }>
  /** Responds to `/ready` with 503 when `status` is not 'ok'. */
  ready: () => Promise<{ status: string }>
  /** Origins that browsers may call from. Empty: no CORS headers are sent. */
  corsOrigins: readonly string[]
}

/**
 * Adds CORS, `/health`, `/ready`, `/openapi.json`, `/docs`, `/docs/errors`, and `/metrics` for callers with its token. Call
 * it before `serveOperations`.
 */
export function addSystemRoutes(app: Hono, system: SystemRoutes): void {
  const { health } = system
  if (system.corsOrigins.length > 0) addCors(app, system.corsOrigins)
  if (health) addStatusRoute(app, '/health', health)
  addStatusRoute(app, '/ready', system.ready)
  addMetricsRoute(app, system.metrics, system.metricsAccess)
  const readDocument = createDocumentReader(system.createDocument)
  app.get('/openapi.json', compress({ encoding: 'gzip' }), async (context) =>
    context.body(await readDocument(), 200, { 'content-type': 'application/json' }),
  )
  addDocs(app, system.title)
}

function addStatusRoute(app: Hono, path: string, read: () => Promise<{ status: string }>): void {
  app.get(path, async () => {
    const report = await read()
    return json(report.status === 'ok' ? 200 : 503, report)
  })
}

function addCors(app: Hono, origins: readonly string[]): void {
  app.use(
    cors({
      origin: origins.includes('*') ? '*' : [...origins],
      allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposeHeaders: ['Date', 'Link', 'Retry-After', 'X-Request-Id', 'PAYMENT-RESPONSE'],
      maxAge: 600,
    }),
  )
}

const NOT_BUILT = 'This page comes with the build. Wait until npm start is ready, or run npm run build'

/** Adds the API reference, a page that renders `/openapi.json`, and the page that explains all errors. */
function addDocs(app: Hono, title: string): void {
  let script: string | undefined
  app.get('/docs/scalar.js', async (context) => {
    script ??= await readAsset('scalar.js')
    if (script === undefined) return context.text(NOT_BUILT, 503)
    return context.body(script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'max-age=3600',
    })
  })
  app.get('/docs/start.js', (context) =>
    context.body(START_SCRIPT, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  )
  const page =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${escapeHtml(title)}</title>` +
    `<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>` +
    `<div id="reference"></div><script src="docs/scalar.js"></script><script src="docs/start.js"></script></body></html>`
  app.get('/docs', docsHeaders, (context) => context.html(page))
  app.get('/docs/errors', docsHeaders, async (context) => {
    const explanations = await readAsset('errors.html')
    if (explanations === undefined) return context.text(NOT_BUILT, 503)
    return context.html(explanations)
  })
}

const START_SCRIPT =
  `if (typeof Scalar === 'undefined') document.body.textContent = '${NOT_BUILT}'\n` +
  "else Scalar.createApiReference('#reference', { url: new URL('openapi.json', location.href.replace(/docs\\/?$/, '')).href, withDefaultFonts: false, telemetry: false, agent: { disabled: true }, mcp: { disabled: true }, showDeveloperTools: 'never', hideClientButton: true })"

const docsHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    // The reference inserts its styles into the page.
    styleSrc: ["'self'", "'unsafe-inline'"],
    fontSrc: ["'self'", 'data:'],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    frameAncestors: ["'none'"],
    baseUri: ["'none'"],
  },
})
