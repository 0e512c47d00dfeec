/** The languages of the console, by their own names. `public/preferences.js` chooses the one of a page. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', es: 'Español' } as const

/** The regions whose formats apply if the browser names none. */
const DEFAULT_LOCALES = { en: 'en-US', de: 'de-DE', es: 'es-ES' } as const

export type Language = keyof typeof LANGUAGES

/** Returns the language of the page. Tests outside of a browser have English. */
export function getLanguage(): Language {
  const lang = globalThis.document?.documentElement.lang
  return lang === 'de' || lang === 'es' ? lang : 'en'
}

/** Stores the language for the next visits and loads the page again in it. */
export function changeLanguage(language: Language): void {
  localStorage.setItem('mintmark.language', language)
  location.reload()
}

/** The locale of numbers and times: the language of the page as the person's region writes it. */
export const LOCALE = chooseLocale(
  getLanguage(),
  globalThis.document === undefined ? [] : navigator.languages,
)

/** Returns the most preferred locale of a language that names a region, such as `de-AT`. */
export function chooseLocale(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => tag.startsWith(`${language}-`)) ?? DEFAULT_LOCALES[language]
}
