import type { Refuse, Route } from '@mintmark/server-kit'
import type { GatewayContext } from '../../http/context.ts'
import { keepMedia } from './media-store.ts'
import { parseMediaUrl } from './media-url.ts'

/**
 * Makes every write keep the uploaded pictures that its input names, in whatever field, before it stores the
 * name. A picture that is not stored, or is another project's, is refused: nothing would keep it.
 */
export function keepPictures<Context extends GatewayContext>(
  routes: readonly Route<Context>[],
  publicUrl: string,
): readonly Route<Context>[] {
  return routes.map((route) => {
    if (route.operation.effect === 'read') return route
    return {
      ...route,
      async handle(input, context, prepared) {
        await keepNamedPictures(input, context, publicUrl)
        return await route.handle(input, context, prepared)
      },
    }
  })
}

async function keepNamedPictures(
  input: object,
  { tenant, invalid }: GatewayContext & Refuse,
  publicUrl: string,
): Promise<void> {
  const named = [...findPictures(input, '', publicUrl)]
  if (named.length === 0) return
  const own = named.filter(({ project }) => project === tenant.project)
  const kept = await keepMedia(tenant, [...new Set(own.map(({ hash }) => hash))])
  const missing = named.find(({ project, hash }) => project !== tenant.project || !kept.has(hash))
  if (missing !== undefined) invalid(missing.path, 'The project has no such picture. Upload it')
}

interface NamedPicture {
  readonly path: string
  readonly project: number
  readonly hash: string
}

/** The depth of an input is limited. */
function* findPictures(value: unknown, path: string, publicUrl: string): Generator<NamedPicture> {
  if (typeof value === 'string') {
    const picture = parseMediaUrl(publicUrl, value)
    if (picture !== undefined) yield { path, ...picture }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value))
      yield* findPictures(inner, path === '' ? key : `${path}.${key}`, publicUrl)
  }
}
