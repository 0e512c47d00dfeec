import { t } from '../language/translate.ts'

/**
 * The words in the user agents of browsers, the most specific first: Edge also says that it is Chrome, and
 * Chrome that it is Safari.
 */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Formats the user agent of a browser as people know it: `Firefox on Windows`. */
export function formatDevice(userAgent: string): string {
  const browser = browsers.find(([word]) => userAgent.includes(word))?.[1]
  const system = systems.find(([word]) => userAgent.includes(word))?.[1]
  if (browser === undefined || system === undefined)
    return userAgent === '' ? t('Unknown device') : userAgent.slice(0, 40)
  return t('{browser} on {system}', { browser, system })
}
