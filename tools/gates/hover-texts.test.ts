import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'
import operations from '../operations/operations.json' with { type: 'json' }
import { repositoryRoot } from '../workspace.ts'
import { startEditor } from './editor.ts'

/** A program whose hover texts are read. It imports the built packages. */
const PROGRAM = `import { createMintmark } from 'mintmark'
import '@mintmark/core-auth'
import '@mintmark/envelope'
import '@mintmark/facilitator/operator'
import '@mintmark/operation'
import '@mintmark/transport/browser'
import '@mintmark/transport/testing'
const mintmark = createMintmark({ gateway: {} as never, facilitator: {} as never })
mintmark.orders.preOrder({ listingId: 7, quantity: 1, recipient: '0x' })
`
const path = join(repositoryRoot, 'tools/gates/hover-texts.mts')

/** Whether a symbol is declared by our packages, and not by a library that they use. */
function isOurs(symbol: ts.Symbol): boolean {
  const files = symbol.declarations?.map((each) => each.getSourceFile().fileName) ?? []
  return files.length === 0 || files.some((file) => file.includes('/packages/'))
}

/** Whether a property is a field, and not the type of an event, such as `order.paid`. */
const isName = (name: string) => /^\w+$/.test(name)

/** The words of a name, in the singular. */
function listWords(name: string): readonly string[] {
  const words = name.match(/[A-Z]?[a-z0-9]+/g) ?? []
  return words.map((word) => word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, ''))
}

/** The types of the object that `createMintmark` returns. */
const BOUND = ['GatewayGroups', 'FacilitatorGroups', 'Mintmark']

describe('hover texts of the built declarations', () => {
  let editor: ts.LanguageService
  let checker: ts.TypeChecker
  /** What the imported packages export. */
  let exported: readonly ts.Symbol[]
  /** The type of the object that `createMintmark` returns. */
  let bound: ts.Type
  beforeAll(() => {
    editor = startEditor(path, PROGRAM)
    const program = editor.getProgram()
    const source = program?.getSourceFile(path)
    if (program === undefined || source === undefined) throw new Error('The program does not load')
    checker = program.getTypeChecker()
    exported = source.statements.filter(ts.isImportDeclaration).flatMap(({ moduleSpecifier }) => {
      const module = checker.getSymbolAtLocation(moduleSpecifier)
      return module === undefined ? [] : checker.getExportsOfModule(module).map(resolve)
    })
    const [variable] = source.statements.filter(ts.isVariableStatement)
    const [declaration] = variable?.declarationList.declarations ?? []
    if (declaration === undefined) throw new Error('The program has another variable')
    bound = checker.getTypeAtLocation(declaration.name)
  })

  function resolve(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  function hasText(symbol: ts.Symbol): boolean {
    return ts.displayPartsToString(symbol.getDocumentationComment(checker)) !== ''
  }

  /** Calls `visit` with each field of a type, and of the objects in it. */
  function visitFields(
    type: ts.Type,
    name: string,
    visit: (field: ts.Symbol, name: string) => void,
    seen: Set<ts.Type>,
  ): void {
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnionOrIntersection()) {
      for (const part of type.types) visitFields(part, name, visit, seen)
      return
    }
    if ((type.flags & ts.TypeFlags.Object) === 0 || type.getCallSignatures().length > 0) return
    if (checker.isArrayType(type) || checker.isTupleType(type)) {
      for (const item of checker.getTypeArguments(type as ts.TypeReference))
        visitFields(item, name, visit, seen)
      return
    }
    if (type.symbol && !isOurs(type.symbol)) return
    for (const field of type.getProperties().filter((each) => isOurs(each) && !/^(?:~|__)/.test(each.name))) {
      if (isName(field.name)) visit(field, `${name}.${field.name}`)
      visitFields(checker.getTypeOfSymbol(field), `${name}.${field.name}`, visit, seen)
    }
  }

  it('every field of every record, input and option that is exported has a text', () => {
    const missing: string[] = []
    let count = 0
    const seen = new Set<ts.Type>()
    for (const symbol of exported) {
      if ((symbol.flags & ts.SymbolFlags.Type) === 0 || BOUND.includes(symbol.name)) continue
      visitFields(
        checker.getDeclaredTypeOfSymbol(symbol),
        symbol.name,
        (field, name) => {
          count++
          if (!hasText(field)) missing.push(name)
        },
        seen,
      )
    }
    expect(count).toBeGreaterThan(2_000)
    expect(missing).toEqual([])
  })

  it('every operation of createMintmark has the text of its operation', () => {
    const texts = operations.map(({ id }) => {
      const [group = '', name = ''] = id.split('.')
      const groupSymbol = bound.getProperty(group)
      const member = groupSymbol && checker.getTypeOfSymbol(groupSymbol).getProperty(name)
      return [id, member !== undefined && hasText(member)] as const
    })
    expect(texts.filter(([, text]) => !text).map(([id]) => id)).toEqual([])
    const shown = editor.getQuickInfoAtPosition(path, PROGRAM.indexOf('preOrder(') + 1)
    expect(ts.displayPartsToString(shown?.documentation)).toContain('Reserves units of a listing for a buyer')
  })

  it('the type of every input has the words of its operation in its name', () => {
    const inputs = exported
      .flatMap(({ declarations = [] }) => declarations)
      .filter(ts.isTypeAliasDeclaration)
      .flatMap(({ name, type }) => {
        const [operation] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : []
        return name.text.endsWith('Input') && operation !== undefined && ts.isTypeQueryNode(operation)
          ? [[operation.exprName.getText(), name.text] as const]
          : []
      })
    expect(inputs.length).toBeGreaterThan(250)
    const misnamed = inputs.filter(([operation, name]) => {
      const words = listWords(name)
      return listWords(operation).some((word) => !words.includes(word))
    })
    expect(misnamed).toEqual([])
  })
})
