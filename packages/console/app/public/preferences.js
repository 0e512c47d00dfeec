// Applies the theme and the language before the first paint. `theme-select.tsx` and `locale.ts` store what a
// person chose.
const LANGUAGES = ['en', 'de', 'es']

/** Returns a choice that is stored. Null without one, and if storage is blocked. */
function readChoice(name) {
  try {
    return localStorage.getItem(`mintmark.${name}`)
  } catch {
    return null
  }
}

const theme = readChoice('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

const preferred = [readChoice('language') ?? '', ...navigator.languages]
const language = preferred.map((tag) => tag.slice(0, 2)).find((each) => LANGUAGES.includes(each)) ?? 'en'
document.documentElement.lang = language
// The scripts of the page translate while they are evaluated, so the texts load before them. The texts in the
// scripts are English.
if (language !== 'en') document.write(`<script src="/console/languages/${language}.js"></script>`)
