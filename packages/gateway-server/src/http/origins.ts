import { ConfigurationError } from '@mintmark/server-kit'

const MAX_ORIGINS = 100

/**
 * Parses a comma-separated list of origins. Each must be written as browsers write it in the header Origin,
 * because that header is compared exactly: lower case, without a path, a default port or a slash at the end.
 *
 * @throws ConfigurationError that names the option `--origins`.
 */
export function parseOrigins(text: string): string[] {
  const origins = [...new Set(text.split(',').map((origin) => origin.trim()))]
  if (origins.length > MAX_ORIGINS)
    throw new ConfigurationError(`--origins: expected at most ${MAX_ORIGINS} origins`)
  for (const origin of origins) {
    const problem = findOriginProblem(origin)
    if (problem !== undefined) throw new ConfigurationError(`--origins: ${problem}`)
  }
  return origins
}

/** Says why a text is not an origin as browsers write it. Returns undefined for an origin. */
export function findOriginProblem(origin: string): string | undefined {
  if (!URL.canParse(origin) || !/^https?:/i.test(origin))
    return `expected an origin such as https://shop.example, received "${origin}"`
  const url = new URL(origin)
  if (url.hostname.includes('*')) return `name each origin. "${origin}" contains a wildcard`
  return url.origin === origin ? undefined : `write "${origin}" as browsers do: ${url.origin}`
}
