import { createElement, Fragment, type ReactNode } from 'react'
import { getLanguage, LOCALE } from './locale.ts'

declare global {
  /** The translated texts by their English ones. A script in `public/languages` sets it. */
  var mintmarkTexts: Readonly<Record<string, string>> | undefined
}

const plurals = new Intl.PluralRules(LOCALE)
const numbers = new Intl.NumberFormat(LOCALE)

/** `{name}`, or `{name, plural, one {# card} other {# cards}}`. */
const PLACEHOLDER = /\{(\w+)(?:, plural,((?: \w+ \{[^{}]*\})+))?\}/g
const FORM = /(\w+) \{([^{}]*)\}/g

/**
 * Translates a text to the language of the page. The text is a literal in English, so that
 * `language.test.ts` finds it, with placeholders and plurals in the syntax of ICU. What follows `||` is not
 * shown. It distinguishes equal texts that have different translations.
 *
 * @example t('{count, plural, one {# card} other {# cards}} of {name}', { count: 2, name: 'Ann' })
 */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return fill(text, values).join('')
}

/**
 * Translates a sentence that has elements.
 *
 * @example tNode('Sent to {email}', { email: <strong>{email}</strong> })
 */
export function tNode(text: string, values: Readonly<Record<string, ReactNode>>): ReactNode {
  return createElement(Fragment, null, ...fill(text, values))
}

/** Returns the parts of a translated text: those between its placeholders, and the values of these. */
function fill<Value>(text: string, values: Readonly<Record<string, Value>>): (Value | string | undefined)[] {
  const message = globalThis.mintmarkTexts?.[text] ?? text.replace(/\|\|.*/, '')
  const parts: (Value | string | undefined)[] = []
  let end = 0
  for (const { 0: placeholder, 1: name = '', 2: forms, index } of message.matchAll(PLACEHOLDER)) {
    parts.push(message.slice(end, index))
    parts.push(forms === undefined ? values[name] : choosePlural(forms, Number(values[name])))
    end = index + placeholder.length
  }
  return [...parts, message.slice(end)]
}

/** Returns a title as it is written within a sentence: in lower case, except in German. */
export function toMidSentence(title: string): string {
  return getLanguage() === 'de' ? title : title.toLowerCase()
}

function choosePlural(forms: string, count: number): string {
  const byCategory = new Map([...forms.matchAll(FORM)].map(([, category, form]) => [category, form]))
  const form = byCategory.get(plurals.select(count)) ?? byCategory.get('other') ?? ''
  return form.replaceAll('#', numbers.format(count))
}
