import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import type { ServerMetrics } from '../process/metrics.ts'
import { json } from '../serving/serve.ts'
import type { Descriptions } from './openapi.ts'

const assets = new URL('../../dist/assets/', import.meta.url)

/** The docstrings that the build took from the sources; undefined where nothing was built. */
export async function readDescriptions(): Promise<Descriptions | undefined> {
  try {
    return JSON.parse(await readFile(new URL('descriptions.json', assets), 'utf8')) as Descriptions
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function scalarScript(): Promise<string> {
  try {
    return await readFile(new URL('scalar.js', assets), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    // Sources that run without a build find the package itself.
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference/package.json')
    return await readFile(fileURLToPath(new URL('dist/browser/standalone.js', `file://${entry}`)), 'utf8')
  }
}

function escapeHtml(text: string): string {
  const signs: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}

export interface SystemRoutes {
  title: string
  metrics: ServerMetrics
  openapi: object
  /** `status` other than 'ok' is answered with 503. Left out where an operation answers `/health`. */
  health?: () => Promise<{ status: string }>
  /** Origins that browsers may call from; none: no CORS headers are sent. */
  corsOrigins: readonly string[]
}

/** Adds CORS, `/health`, `/metrics`, `/openapi.json` and `/docs`; comes before a server's operations. */
export function addSystemRoutes(app: Hono, system: SystemRoutes): void {
  if (system.corsOrigins.length > 0) {
    const origin = system.corsOrigins.includes('*') ? '*' : [...system.corsOrigins]
    app.use(
      cors({
        origin,
        allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposeHeaders: ['Date', 'Retry-After', 'X-Request-Id', 'PAYMENT-RESPONSE'],
        maxAge: 600,
      }),
    )
  }
  const { health } = system
  if (health) {
    app.get('/health', async () => {
      const told = await health()
      return json(told.status === 'ok' ? 200 : 503, told)
    })
  }
  app.get('/metrics', async (context) => {
    const text = await system.metrics.registry.metrics()
    return context.body(text, 200, { 'content-type': system.metrics.registry.contentType })
  })
  const document = JSON.stringify(system.openapi)
  app.get('/openapi.json', (context) => context.body(document, 200, { 'content-type': 'application/json' }))
  let script: Promise<string> | undefined
  app.get('/docs/scalar.js', async (context) => {
    script ??= scalarScript()
    return context.body(await script, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'max-age=3600',
    })
  })
  const title = escapeHtml(system.title)
  const self = ["'self'"]
  app.get(
    '/docs',
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: self,
        // The reference writes its styles into the page.
        styleSrc: ["'self'", "'unsafe-inline'"],
        fontSrc: ["'self'", 'data:'],
        imgSrc: ["'self'", 'data:'],
        connectSrc: self,
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    }),
    (context) =>
      context.html(
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title>` +
          `<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>` +
          `<div id="reference"></div><script src="docs/scalar.js"></script><script src="docs/start.js"></script></body></html>`,
      ),
  )
  app.get('/docs/start.js', (context) =>
    context.body(
      "Scalar.createApiReference('#reference', { url: new URL('openapi.json', location.href.replace(/docs\\/?$/, '')).href, withDefaultFonts: false, telemetry: false, agent: { disabled: true }, mcp: { disabled: true }, showDeveloperTools: 'never', hideClientButton: true })",
      200,
      { 'content-type': 'text/javascript; charset=utf-8' },
    ),
  )
}
