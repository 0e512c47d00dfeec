import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../release/run.ts'
import { type Toolchain, toolchain, versionOf } from '../toolchains/toolchains.ts'
import { type Delivery, findChromium, NO_CHROMIUM, runInBrowser } from './browser.ts'
import { output } from './child.ts'
import type { Given, Traits } from './program.ts'
import { COMMANDS, type Project } from './project.ts'
import { runInWorkerd } from './workerd.ts'

/** What a runtime runs the program with. */
export interface Stage {
  readonly project: Project
  /** Where the project's pages are served. */
  readonly pages: string
}

/** Somewhere that the packages run. */
export interface Runtime extends Traits {
  readonly name: string
  /** Why it cannot be tried on this machine; undefined where it can. */
  missing(): string | undefined
  version(): string
  /** Runs the program; answers what it saw, which nothing has checked yet. */
  run(stage: Stage, given: Given): Promise<unknown>
}

/** A runtime that comes with the toolchains. */
const installed = (tool: Toolchain): Pick<Runtime, 'missing' | 'version'> => ({
  missing: () => undefined,
  version: () => versionOf(tool),
})

/** Runs one of the project's files, with what else the runtime's command takes before it. */
function byCommand(
  command: () => string,
  file: string = COMMANDS.esm,
  options: (given: Given) => readonly string[] = () => [],
) {
  return async ({ project: { folder } }: Stage, given: Given): Promise<unknown> => {
    const parameters = [...options(given), file, JSON.stringify(given)]
    // Deno keeps a cache of its own; this one goes with the project.
    const env = { DENO_DIR: join(folder, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
    return JSON.parse(await output(command(), parameters, { cwd: folder, env }))
  }
}

/** Deno checks the program's types, takes the packages from `node_modules`, and lets it reach the servers and do nothing else. */
function denoOptions({ gateway, keyService, failing, facilitator }: Given): readonly string[] {
  const urls = [gateway.baseUrl, keyService, facilitator.baseUrl, ...Object.values(failing)]
  const hosts = new Set(urls.map((url) => new URL(url).host))
  return ['run', '--check', '--no-prompt', '--node-modules-dir=manual', `--allow-net=${[...hosts].join(',')}`]
}

function inBrowser(delivery: Delivery): Runtime {
  const found = () => {
    const path = findChromium()
    if (path === undefined) throw new Error(NO_CHROMIUM)
    return path
  }
  return {
    name: `Chromium, ${delivery}`,
    signsBy: 'WebCrypto',
    unreachedWrite: 'UnknownOutcome',
    missing: () => (findChromium() === undefined ? NO_CHROMIUM : undefined),
    version: () => /[\d.]+/.exec(run(found(), ['--version'], tmpdir()))?.[0] ?? 'unknown',
    run: ({ pages }, given) => runInBrowser(found(), `${pages}/${delivery}`, given),
  }
}

const withNodeCrypto = { signsBy: "Node's crypto", unreachedWrite: 'Network' } as const

/** Every runtime that the packages are tried in. */
export const runtimes: readonly Runtime[] = [
  {
    name: 'Node 22',
    ...withNodeCrypto,
    ...installed('node-22'),
    run: byCommand(() => toolchain('node-22')),
  },
  {
    name: 'Node 22, CommonJS',
    ...withNodeCrypto,
    ...installed('node-22'),
    run: byCommand(() => toolchain('node-22'), COMMANDS.commonjs),
  },
  {
    name: 'Node of the repository',
    ...withNodeCrypto,
    missing: () => undefined,
    version: () => process.versions.node,
    run: byCommand(() => process.execPath),
  },
  {
    name: 'Node 26',
    ...withNodeCrypto,
    ...installed('node-26'),
    run: byCommand(() => toolchain('node-26')),
  },
  { name: 'Bun', ...withNodeCrypto, ...installed('bun'), run: byCommand(() => toolchain('bun')) },
  {
    name: 'Deno',
    signsBy: "Node's crypto",
    unreachedWrite: 'UnknownOutcome',
    ...installed('deno'),
    run: byCommand(() => toolchain('deno'), COMMANDS.deno, denoOptions),
  },
  {
    name: 'workerd',
    signsBy: 'WebCrypto',
    unreachedWrite: 'UnknownOutcome',
    ...installed('workerd'),
    run: ({ project }, given) => runInWorkerd(project, given),
  },
  inBrowser('bundled'),
  inBrowser('import map'),
]
