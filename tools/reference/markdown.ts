/** Text as code. */
export function code(text: string): string {
  return `\`${text}\``
}

/** A text in a cell of a table: on one line, its bars escaped. */
function cell(text: string): string {
  return text.replace(/\s*\n+\s*/g, ' ').replaceAll('|', '\\|')
}

/** A table; without rows, nothing. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Paragraphs, tables and blocks one after the other; what is empty is left out. */
export function blocks(...parts: readonly (string | undefined)[]): string {
  return `${parts.filter((part) => part).join('\n\n')}\n`
}

/** The first sentence, without what ends it. */
export function firstSentence(text: string): string {
  return text.split(/\n|[.:](?:\n|$)|\.\s/)[0] ?? ''
}

/** The link targets that are relative, moved: a text of one folder that is shown in another. */
export function moveLinks(text: string, move: (target: string) => string): string {
  return text.replace(/(\]\()([^)\s]+)(\))/g, (whole, before: string, target: string, after: string) =>
    /^[a-z][a-z+.-]*:/i.test(target) ? whole : `${before}${move(target)}${after}`,
  )
}
