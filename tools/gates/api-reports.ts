import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IExtractorMessagesConfig,
} from '@microsoft/api-extractor'
import { run } from '../release/run.ts'
import { type Package, repositoryRoot } from '../workspace.ts'
import { copyDeclarations } from './declarations.ts'
import type { Entry } from './entries.ts'

/** What a package exports through one entry, as a text that is compared and reviewed. */
export interface ApiReport {
  /** The package's name. */
  readonly package: string
  /** From the repository's top folder on. */
  readonly file: string
  readonly text: string
}

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

const none = { default: { logLevel: ExtractorLogLevel.None } }
/** The compiler has said what there is to say; the report is all that is wanted here. */
const messages: IExtractorMessagesConfig = {
  compilerMessageReporting: none,
  extractorMessageReporting: none,
  tsdocMessageReporting: none,
}

/** What every report would say of nearly every line. */
const NOISE =
  /^ *\/\/ (?:@public(?: \(undocumented\))?|\(undocumented\)|\(No @packageDocumentation comment.*)\n/gm

interface Asked {
  readonly package: Package
  readonly entry: Entry
  readonly config: ExtractorConfig
}

function asked(each: Package, folder: string): readonly Asked[] {
  const projectFolder = join(folder, 'packages', basename(each.folder))
  return copyDeclarations(each, projectFolder).map((entry) => ({
    package: each,
    entry,
    config: ExtractorConfig.prepare({
      configObject: {
        projectFolder,
        mainEntryPointFilePath: entry.types,
        compiler: { overrideTsconfig: { compilerOptions, files: [entry.types] } },
        apiReport: {
          enabled: true,
          reportFileName: `${entry.name}.api.md`,
          reportFolder: join(projectFolder, 'api'),
          reportTempFolder: join(projectFolder, 'api'),
          // A record's fields stand in a schema that is not exported itself.
          includeForgottenExports: true,
        },
        docModel: { enabled: false },
        dtsRollup: { enabled: false },
        tsdocMetadata: { enabled: false },
        messages,
        newlineKind: 'lf',
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: join(projectFolder, 'package.json'),
    }),
  }))
}

/** The code of a report by API Extractor, without what it says of every line. */
function codeOf(report: string): string {
  const code = /```ts\n([\s\S]*)```/.exec(report)?.[1]
  if (code === undefined) throw new Error('API Extractor writes reports of another form')
  return code.replace(NOISE, '')
}

/** Formats declarations by the repository's own rules, in place. */
function format(folder: string): void {
  const biome = join(repositoryRoot, 'node_modules/@biomejs/biome/bin/biome')
  const { formatter, javascript } = JSON.parse(readFileSync(join(repositoryRoot, 'biome.json'), 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ root: true, formatter, javascript }))
  run(process.execPath, [biome, 'format', '--write', '--colors=off', folder], folder)
}

/**
 * Makes the reports of packages from what was built: one for each entry, with the exported names in alphabetical order, and what they
 * are made of. Comments are left out, for they change nothing; so is everything that depends on the machine.
 */
export function apiReports(packages: readonly Package[]): readonly ApiReport[] {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-api-'))
  try {
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'))
    const all = packages.flatMap((each) => asked(each, folder))
    const [first] = all
    if (first === undefined) return []
    const additionalEntryPoints = all.map(({ entry }) => entry.types)
    const compilerState = CompilerState.create(first.config, { additionalEntryPoints })
    const code = join(folder, 'code')
    mkdirSync(code)
    const codeFile = ({ entry }: Asked) => join(code, `${entry.specifier.replaceAll('/', '.')}.d.ts`)
    for (const each of all) {
      Extractor.invoke(each.config, { compilerState, localBuild: true, messageCallback: quiet })
      writeFileSync(codeFile(each), codeOf(readFileSync(each.config.reportFilePath, 'utf8')))
    }
    format(code)
    return all.map((each) => ({
      package: each.package.manifest.name,
      file: `packages/${basename(each.package.folder)}/api/${each.entry.name}.api.md`,
      text: `# ${each.entry.specifier}\n\nWhat this entry exports. Written by \`npm run gates -- --write\`; not edited by hand.\n\n\`\`\`ts\n${readFileSync(codeFile(each), 'utf8').trim()}\n\`\`\`\n`,
    }))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function quiet(message: { handled: boolean }): void {
  message.handled = true
}
