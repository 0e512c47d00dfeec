import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'
import { toolchain } from '../toolchains/toolchains.ts'

/** The last two major versions of TypeScript. */
export type Compiler = 'typescript-6' | 'typescript-7'

const RESOLUTIONS = {
  nodenext: { module: 'nodenext' },
  // CommonJS files may not `require` ES modules.
  node16: { module: 'node16' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

export type Resolution = keyof typeof RESOLUTIONS

/** Strict options that also check the declarations of our packages. */
const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  allowImportingTsExtensions: true,
  skipDefaultLibCheck: true,
  noEmit: true,
}

/** A diagnostic in a declaration of another package: pg-boss names a type that it does not have. */
const FOREIGN = /^(?:\.\.\/)*node_modules\/(?!@mintmark\/)/

/**
 * Compiles files of a project and the declarations that they import. Throws an error with the diagnostics
 * that concern us.
 */
export async function compile(
  folder: string,
  files: readonly string[],
  compiler: Compiler = 'typescript-6',
  resolution: Resolution = 'nodenext',
): Promise<void> {
  const types = existsSync(join(folder, 'node_modules/@types/node')) ? ['node'] : []
  const options = { ...compilerOptions, ...RESOLUTIONS[resolution], types }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }))
  const failure = await run(process.execPath, [toolchain(compiler), '--pretty', 'false'], {
    cwd: folder,
  }).then(
    () => undefined,
    (error: Error) => error,
  )
  if (failure === undefined) return
  // A diagnostic begins with its file; the lines that explain it are indented.
  const diagnostics = failure.message.split(/\n(?=\S)/).filter((each) => /^\S+\(\d+,\d+\): /.test(each))
  const ours = diagnostics.filter((each) => !FOREIGN.test(each))
  if (ours.length > 0) throw new Error(`${compiler}, ${resolution}, in ${folder}:\n${ours.join('\n')}`)
  if (diagnostics.length === 0) throw failure
}
