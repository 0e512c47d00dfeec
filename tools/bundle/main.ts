// Prints what programs with one operation weigh, for people who change the client packages: `node tools/setup.mjs bundle`.
import { baselineOf, bundle, installClients } from './bundle.ts'
import { programs, sourceOf } from './programs.ts'

using installation = installClients()

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
