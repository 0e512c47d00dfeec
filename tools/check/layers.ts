import type { Manifest } from '../workspace.ts'

/** The layers from the top down. An import goes to a layer below, never up. */
const LAYERS = ['server', 'kit', 'domain', 'core'] as const
type Layer = (typeof LAYERS)[number]

/**
 * What a layer may import of the workspace. The kit serves operations of any domain and so knows none; within the core, transport
 * stands on the two others.
 */
const BELOW: Readonly<Record<Layer, readonly Layer[]>> = {
  server: ['kit', 'domain', 'core'],
  kit: ['core'],
  domain: ['core'],
  core: [],
}
const WITHIN_CORE: Readonly<Record<string, readonly string[]>> = {
  '@mintmark/transport': ['@mintmark/envelope', '@mintmark/core-auth'],
}

/** The layer a package's nx tags name; undefined when they name none or one that does not exist. */
export function layerOf(manifest: Manifest): Layer | undefined {
  const tags = (manifest.nx?.tags ?? []).filter((tag) => tag.startsWith('layer:'))
  return tags.length === 1 ? LAYERS.find((layer) => tags[0] === `layer:${layer}`) : undefined
}

/** Why one package of the workspace may not import another; undefined when it may. */
export function refusal(from: Manifest, to: Manifest): string | undefined {
  const [upper, lower] = [layerOf(from), layerOf(to)]
  if (upper === undefined || lower === undefined || from.name === to.name) return undefined
  if (BELOW[upper].includes(lower) || WITHIN_CORE[from.name]?.includes(to.name)) return undefined
  const way =
    upper === lower
      ? 'sideways'
      : LAYERS.indexOf(lower) < LAYERS.indexOf(upper)
        ? 'up'
        : 'past the layers between'
  return `imports ${to.name}, which is ${way}: layer ${upper} may import ${BELOW[upper].join(', ') || 'no layer'}`
}
