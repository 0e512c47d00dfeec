// `npm run release:dry`: a release up to the point where packages would be published. In a copy of the repository it writes the
// versions, packs every package, installs the tarballs into scratch projects as a user would, and compiles and runs a program there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '../workspace.ts'
import { type Packed, packAll, problemsOfTarball } from './pack.ts'
import { run } from './run.ts'
import { closure, programsFor, type Scratch, scratchProjects } from './scratch.ts'

/** What a careful user has; the declarations of our packages are checked with it. */
const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
}

const folder = mkdtempSync(join(tmpdir(), 'mintmark-release-'))
try {
  const packed = packAll(join(folder, 'tarballs'))
  for (const { manifest, files } of packed)
    console.log(`${manifest.name} ${manifest.version}: ${files.length} files`)
  const problems = packed.flatMap(problemsOfTarball)
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1

  for (const scratch of scratchProjects(packed)) tryOut(scratch, packed)
} finally {
  rmSync(folder, { recursive: true })
}

function tryOut({ name, wanted }: Scratch, packed: readonly Packed[]): void {
  const project = join(folder, 'scratch', name)
  mkdirSync(project, { recursive: true })
  const installed = closure(wanted, packed)
  // Unpublished packages are named by their tarballs, those that come along too; everything else comes from the registry.
  const dependencies = Object.fromEntries(
    installed.map(({ manifest, tarball }) => [manifest.name, `file:${tarball}`]),
  )
  writeFileSync(
    join(project, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], project)
  const programs = programsFor(wanted, packed)
  for (const [file, text] of Object.entries(programs)) writeFileSync(join(project, file), text)
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  run(process.execPath, [join(repositoryRoot, 'node_modules/typescript/bin/tsc')], project)
  for (const file of Object.keys(programs)) run(process.execPath, [file], project)
  console.log(`${name}: installed ${installed.length} of ours, compiled and ran`)
}
