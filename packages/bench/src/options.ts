import { parseArgs } from 'node:util'

/** What a person asks `npm run bench` to do. */
export interface BenchOptions {
  /** The names of sections, in their usual order. */
  readonly sections: readonly string[]
  /** Whether the person has named the sections. */
  readonly isNamed: boolean
  readonly quick: boolean
  /** The folder of results.json. Default: a new one in `.mintmark/bench`. */
  readonly out: string | undefined
  readonly help: boolean
}

/** The options of the command are wrong. The message says how to correct them. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

function parse(parameters: readonly string[]) {
  try {
    return parseArgs({
      args: [...parameters],
      allowPositionals: true,
      options: {
        quick: { type: 'boolean', default: false },
        out: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/**
 * Parses the parameters of `npm run bench`.
 *
 * @param names The sections that run by default.
 * @param namesOnRequest The sections that run only when they are named.
 * @throws OptionsError for an unknown option or section.
 */
export function parseOptions(
  parameters: readonly string[],
  names: readonly string[],
  namesOnRequest: readonly string[] = [],
): BenchOptions {
  const { values, positionals } = parse(parameters)
  const all = [...names, ...namesOnRequest]
  const unknown = positionals.filter((name) => !all.includes(name))
  if (unknown.length > 0) {
    throw new OptionsError(`There is no section ${unknown.join(', ')}. Sections: ${all.join(', ')}`)
  }
  if (values.out === '') throw new OptionsError('--out needs a path')
  return {
    sections: positionals.length === 0 ? names : all.filter((name) => positionals.includes(name)),
    isNamed: positionals.length > 0,
    quick: values.quick,
    out: values.out,
    help: values.help,
  }
}

/** The text of `--help`. */
export function formatHelp(names: readonly string[], namesOnRequest: readonly string[] = []): string {
  const onRequest = namesOnRequest.length === 0 ? '' : ` Only if named: ${namesOnRequest.join(', ')}.`
  return `Runs benchmarks, prints tables and writes results.json.

  npm run bench -- [sections] [options]

Sections: ${names.join(', ')}. Default: all.${onRequest}

  --quick       measures briefly: for trying things out, not for numbers
  --out FOLDER  where results.json is written (a new folder in .mintmark/bench)
  --help        prints this text
`
}
