/** A server's command as a document shows it. */
export interface ShownCommand {
  /** The document's line, from 1. */
  line: number
  server: 'gateway' | 'facilitator'
  /** What follows the server's name, without comments and what the shell makes of the rest. */
  words: readonly string[]
}

const SHOWN = /npx @mintmark\/(gateway|facilitator)-server(?:@latest)?\s+([^`\n]*)/g

/** The servers' commands that a document shows. */
export function commandsOf(text: string): ShownCommand[] {
  return text.split('\n').flatMap((content, index) =>
    [...content.matchAll(SHOWN)].map((match) => ({
      line: index + 1,
      server: match[1] as ShownCommand['server'],
      // A text in quotes is one word, and may hold anything.
      words: (match[2]?.replace(/\s#.*$/, '').match(/"[^"]*"|\S+/g) ?? []) as string[],
    })),
  )
}

/** What is wrong with a command, by what the server's `--help` says; undefined where nothing is. */
export function findQuotaProblem({ words }: ShownCommand, help: string): string | undefined {
  const usages = [...help.matchAll(/^ {2}mintmark-\w+ (.*)$/gm)].map((match) => match[1] ?? '')
  const usage = usages.find((each) => {
    const name = each.split(/ (?=[<[-])/)[0] ?? ''
    return words.slice(0, name.split(' ').length).join(' ') === name
  })
  if (usage === undefined) return `there is no command ${words.slice(0, 2).join(' ')}`
  const given = words.filter((word) => word.startsWith('--'))
  const unknown = given.find((option) => !usage.includes(`${option} <`))
  if (unknown !== undefined) return `there is no ${unknown}`
  const optional = [...usage.matchAll(/\[(--[\w-]+)/g)].map((match) => match[1])
  const required = [...usage.matchAll(/--[\w-]+/g)].map((match) => match[0])
  const missing = required.find((option) => !optional.includes(option) && !given.includes(option))
  return missing === undefined ? undefined : `${missing} is missing`
}
