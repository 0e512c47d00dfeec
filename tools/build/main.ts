// Builds every package: one run of the compiler, then the annotations, docstrings and files that bundlers,
// editors and servers need, and the console.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { buildConsole } from './console.ts'
import { describe, describedFiles, descriptionsFiles } from './descriptions.ts'
import { copyDocsAsset } from './docs-asset.ts'
import { documentPackage } from './document-declarations.ts'
import { writeErrorPage } from './error-page.ts'
import { writeMonitoring } from './monitoring.ts'
import { writeOpenApiDocuments } from './openapi-documents.ts'
import { annotatePackage, copySqlFiles, removeStale, replaceFile, writeCommonJsTypes } from './outputs.ts'
import { writeSkills } from './skills.ts'

const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
const packages = packagesOf(repositoryRoot)
for (const each of packages) removeStale(each)
const { status } = spawnSync(process.execPath, [compiler, '-b'], { cwd: repositoryRoot, stdio: 'inherit' })
if (status !== 0) {
  process.exitCode = status ?? 1
} else {
  for (const each of packages) {
    copySqlFiles(each)
    writeCommonJsTypes(each)
  }
  const unannotated = packages
    .filter(({ manifest }) => manifest.sideEffects === false)
    .flatMap(annotatePackage)
  const { descriptions, problems } = describe(describedFiles(repositoryRoot), repositoryRoot)
  for (const path of descriptionsFiles) {
    const file = join(repositoryRoot, path)
    mkdirSync(dirname(file), { recursive: true })
    replaceFile(file, JSON.stringify(descriptions))
  }
  for (const each of packages) documentPackage(each, descriptions)
  await copyDocsAsset(repositoryRoot)
  await writeErrorPage(repositoryRoot)
  await writeOpenApiDocuments(repositoryRoot, descriptions)
  writeSkills(repositoryRoot, descriptions)
  writeMonitoring(repositoryRoot)
  buildConsole(repositoryRoot)
  for (const problem of [...unannotated, ...problems]) console.error(problem)
  if (unannotated.length + problems.length > 0) process.exitCode = 1
}
