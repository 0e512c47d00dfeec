import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf, type Explanation, readExplanations } from './error-docs.ts'
import { replaceFile } from './outputs.ts'

/** Readable on a phone, and without light in the dark. */
const STYLE = `
:root { color-scheme: light dark }
body { margin: 0 auto; padding: 16px; max-width: 720px; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h2 { margin: 32px 0 0; padding: 4px 8px; font: 600 17px/1.5 ui-monospace, monospace; scroll-margin-top: 16px }
h2:target { background: #0d948833; border-radius: 6px }
p { margin: 8px }
`

/** Converts the Markdown of a docstring to HTML. Its links lead to files that the page does not have. */
function toHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`([^`]*)`/g, '<code>$1</code>')
}

function section({ word, meaning, advice }: Explanation): string {
  const paragraph = advice === '' ? '' : `<p><b>What to do:</b> ${toHtml(advice)}</p>`
  return `<h2 id="${anchorOf(word)}">${word}</h2><p>${toHtml(meaning)}</p>${paragraph}`
}

/** Renders the page of the servers that explains every error, with the anchors that clients link to. */
export function renderErrorPage(explanations: readonly Explanation[]): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Errors of Mintmark</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body><h1>Errors of Mintmark</h1>
<p>An error has a <code>reason</code>, or only its <code>kind</code>. The <a href="../docs">reference</a> has the errors of each operation.</p>
${explanations.map(section).join('\n')}
</body></html>
`
}

/** Writes the page into the server kit. */
export async function writeErrorPage(root: string): Promise<void> {
  const folder = join(root, 'packages/server-kit/dist/assets')
  mkdirSync(folder, { recursive: true })
  replaceFile(join(folder, 'errors.html'), renderErrorPage(await readExplanations(root)))
}
