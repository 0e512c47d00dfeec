// Prints what programs with one operation weigh, for people who change the client packages: `node tools/setup.mjs bundle`.
import { join } from 'node:path'
import { packagesOf, repositoryRoot } from '../workspace.ts'
import { baselineOf, bundle, installBuilt } from './bundle.ts'
import { programs, sourceOf } from './programs.ts'

const modules = join(repositoryRoot, 'node_modules')
const packages = packagesOf(repositoryRoot).filter(({ manifest }) => manifest.sideEffects === false)
using installation = installBuilt(packages, { ky: join(modules, 'ky'), valibot: join(modules, 'valibot') })

const rows: Record<string, string | number>[] = []
for (const program of programs) {
  for (const from of ['barrel', 'subpath'] as const) {
    for (const bundler of ['esbuild', 'rollup'] as const) {
      const source = sourceOf(program, from)
      const { gzipped } = await bundle(bundler, installation, source)
      const baseline = await bundle(bundler, installation, await baselineOf(installation, source))
      const operation = `${program.group}.${program.operation}`
      rows.push({
        operation,
        from,
        bundler,
        'bytes gzipped': gzipped,
        'of them ours': gzipped - baseline.gzipped,
      })
    }
  }
}
console.table(rows)
