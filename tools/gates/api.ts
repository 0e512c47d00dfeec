// `npm run api` compares what each client package exports with the report in its folder `api`;
// `npm run api -- --write` accepts changes.
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { type Package, packagesOf, repositoryRoot } from '../workspace.ts'

/**
 * Entries whose exports are not in the main entry of their package. The main entry contains the exports of
 * every group's own entry.
 */
const isOtherEntry = (name: string, subpath: string): boolean =>
  subpath === './testing' ||
  (name === '@mintmark/contracts' && subpath === './abi') ||
  (name === '@mintmark/facilitator' && subpath === './operator') ||
  (name === '@mintmark/transport' && subpath === './opentelemetry')

/** The layers that programs of others import. */
const CLIENT_LAYERS = ['layer:core', 'layer:vocabulary', 'layer:domain', 'layer:umbrella']
const isClient = ({ manifest }: Package): boolean =>
  manifest.nx?.tags?.some((tag) => CLIENT_LAYERS.includes(tag)) === true

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
}

/** The compiler and Biome report errors; here only the report matters. */
const silent = { default: { logLevel: ExtractorLogLevel.None } }
const messages = {
  compilerMessageReporting: silent,
  extractorMessageReporting: { ...silent, 'ae-forgotten-export': { logLevel: ExtractorLogLevel.None } },
  tsdocMessageReporting: silent,
}

function prepareReports({ folder, manifest }: Package): readonly ExtractorConfig[] {
  const reportFolder = join(folder, 'api')
  mkdirSync(reportFolder, { recursive: true })
  return Object.entries(manifest.exports ?? {}).flatMap(([subpath, targets]) => {
    if (typeof targets === 'string' || (subpath !== '.' && !isOtherEntry(manifest.name, subpath))) return []
    const { types = '' } = targets
    const mainEntryPointFilePath = join(folder, typeof types === 'string' ? types : types.default)
    const name = subpath === '.' ? 'index' : basename(subpath)
    const configObject = {
      projectFolder: folder,
      mainEntryPointFilePath,
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: {
        enabled: true,
        reportFileName: `${name}.api.md`,
        reportFolder,
        reportTempFolder: join(repositoryRoot, 'node_modules/.cache/api', basename(folder)),
        // The fields of a record are in a schema that is not exported.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf' as const,
      messages,
    }
    const packageJsonFullPath = join(folder, 'package.json')
    return [ExtractorConfig.prepare({ configObject, configObjectFullPath: undefined, packageJsonFullPath })]
  })
}

const localBuild = process.argv.includes('--write')
const reports = packagesOf(repositoryRoot).filter(isClient).flatMap(prepareReports)
const [first] = reports
if (first === undefined) throw new Error('No package has an entry')
const additionalEntryPoints = reports.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath)
const compilerState = CompilerState.create(first, { additionalEntryPoints })
for (const config of reports) {
  const { apiReportChanged, succeeded } = Extractor.invoke(config, {
    compilerState,
    localBuild,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error
    },
  })
  if (!apiReportChanged && succeeded) continue
  const advice = `is out of date. Compare ${config.reportTempFilePath}, then run npm run api -- --write`
  console.log(`${config.reportFilePath} ${localBuild ? 'was written' : advice}`)
  if (!localBuild) process.exitCode = 1
}
