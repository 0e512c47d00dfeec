import { ConfigurationError } from '@mintmark/server-kit'

const MAX_ORIGINS = 100

/**
 * Parses a comma-separated list of origins. Each must be written as browsers write it in the header Origin, because that header is compared
 * exactly: lower case, without a path, a default port or a slash at the end.
 *
 * @throws ConfigurationError that names the option `--origins`.
 */
export function parseOrigins(text: string): string[] {
  const origins = [...new Set(text.split(',').map((origin) => origin.trim()))]
  if (origins.length > MAX_ORIGINS)
    throw new ConfigurationError(`--origins: expected at most ${MAX_ORIGINS} origins`)
  for (const origin of origins) checkOrigin(origin)
  return origins
}

function checkOrigin(origin: string): void {
  const expected = 'expected an origin such as https://shop.example'
  if (!URL.canParse(origin) || !/^https?:/i.test(origin))
    throw new ConfigurationError(`--origins: ${expected}, received "${origin}"`)
  const url = new URL(origin)
  if (url.hostname.includes('*'))
    throw new ConfigurationError(`--origins: name each origin. "${origin}" contains a wildcard`)
  if (url.origin !== origin)
    throw new ConfigurationError(`--origins: write "${origin}" as browsers do: ${url.origin}`)
}
