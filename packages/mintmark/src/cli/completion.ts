import { Argument, type Command } from 'commander'
import { type CommandEnvironment, write } from './environment.ts'
import { UsageError } from './errors.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** The scripts call the program for the candidates, so that they do not change with it. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# eval "$(mintmark completion bash)"
_mintmark() {
  local IFS=$'\\n'
  COMPREPLY=($(mintmark complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _mintmark mintmark
`,
  zsh: `# eval "$(mintmark completion zsh)"
_mintmark() {
  local -a candidates
  candidates=("\${(@f)$(mintmark complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#candidates} )) && [[ -n $candidates[1] ]]; then
    compadd -a candidates
  else
    _files
  fi
}
compdef _mintmark mintmark
`,
  fish: `# mintmark completion fish | source
complete -c mintmark -a '(mintmark complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

/** Finds the command that words name, and the words after it. */
export function findCommand(program: Command, words: readonly string[]): Command {
  let command = program
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (next === undefined) break
    command = next
  }
  return command
}

/** Lists what can replace the last word of a command line. */
function listCandidates(program: Command, words: readonly string[]): string[] {
  const current = words.at(-1) ?? ''
  const earlier = words.slice(0, -1)
  const command = findCommand(program, earlier)
  const previous = earlier.at(-1)
  const option = command.options.find(({ long }) => long === previous)
  let candidates: readonly string[]
  if (option?.required) candidates = option.argChoices ?? []
  else if (current.startsWith('-')) candidates = command.options.flatMap(({ long }) => long ?? [])
  else {
    const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
    const visible = command.createHelp().visibleCommands(command)
    const names = visible.flatMap((each) => [each.name(), ...each.aliases()])
    candidates = [...names, ...choices]
  }
  return candidates.filter((each) => each.startsWith(current))
}

/** Adds the command that prints a script for a shell, and the one that the scripts call. */
export function addCompletionCommands(program: Command, environment: CommandEnvironment): void {
  program
    .command('completion')
    .description('Prints a script that completes commands and flags in a shell.')
    .summary('print a completion script')
    .addArgument(new Argument('[shell]').choices(SHELLS))
    .action((shell: Shell | undefined) => {
      if (shell === undefined) throw new UsageError('Name the shell: bash, zsh or fish')
      return write(environment.output, SCRIPTS[shell])
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .action(async (words: readonly string[]) => {
      const candidates = listCandidates(program, words)
      await write(environment.output, candidates.map((each) => `${each}\n`).join(''))
    })
}
