import ts from 'typescript'
import type { Block } from '../site/blocks.ts'

/**
 * A document's blocks as one program, in their order. Imports of one module are merged, because each block is
 * complete on its own. Blocks marked `no-run` are left out.
 */
export function programOf(blocks: readonly Block[]): string {
  const imports = new Map<string, Set<string>>()
  const rest: string[] = []
  for (const { code, line, run } of blocks) {
    if (!run) continue
    const source = ts.createSourceFile('block.ts', code, ts.ScriptTarget.ESNext, true)
    rest.push(`// line ${line}`)
    for (const statement of source.statements) {
      if (!ts.isImportDeclaration(statement)) {
        rest.push(statement.getFullText())
        continue
      }
      const { importClause: clause, moduleSpecifier } = statement
      const bindings = clause?.namedBindings
      const isNamespace = bindings !== undefined && !ts.isNamedImports(bindings)
      if (clause === undefined || isNamespace || !ts.isStringLiteral(moduleSpecifier)) {
        throw new Error(`line ${line}: an example imports names or a default, not a namespace`)
      }
      if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) continue
      const names = imports.get(moduleSpecifier.text) ?? new Set()
      if (clause.name !== undefined) names.add(`default as ${clause.name.text}`)
      for (const element of bindings?.elements ?? []) if (!element.isTypeOnly) names.add(element.getText())
      imports.set(moduleSpecifier.text, names)
    }
  }
  const head = [...imports].map(([from, names]) => `import { ${[...names].join(', ')} } from '${from}'`)
  const { outputText } = ts.transpileModule([...head, ...rest].join('\n'), {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2024,
      verbatimModuleSyntax: true,
      // NestJS has decorators of parameters.
      experimentalDecorators: true,
    },
  })
  return outputText
}
