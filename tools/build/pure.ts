import ts from 'typescript'

/** A text to put into the code, at an offset into it. */
export interface Edit {
  readonly at: number
  readonly text: string
}

/** The annotations that a module needs so that bundlers drop unused code, and the statements that no annotation can fix. */
export interface Purity {
  readonly edits: readonly Edit[]
  /** `line: what` of each statement that does something when the module loads. */
  readonly problems: readonly string[]
}

const PURE = '/* @__PURE__ */ '

/** `nothing`: dropped unchanged. `annotate`: its calls need the annotation. `wrap`: it reads or spreads, which may run code. */
type Need = 'nothing' | 'annotate' | 'wrap'

function most(needs: readonly Need[]): Need {
  if (needs.includes('wrap')) return 'wrap'
  return needs.includes('annotate') ? 'annotate' : 'nothing'
}

/** Operators that run no code of their operands: no `valueOf`, no `toString`. */
const INERT_OPERATORS = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
])

/**
 * What a module has to be given so that esbuild and rollup drop its unused declarations. esbuild does not carry
 * `@__NO_SIDE_EFFECTS__` from one file to another, so every call at the top level is marked, the calls in its arguments too; and
 * it keeps property reads, spreads and templates even below a marked call, so a declaration with one of these becomes a marked
 * function that is called immediately.
 */
export function purityOf(code: string, fileName = 'module.js'): Purity {
  const file = ts.createSourceFile(fileName, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS)
  const edits: Edit[] = []
  const problems: string[] = []
  const namespaces = new Set(
    file.statements.flatMap((statement) => {
      const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined
      return bindings !== undefined && ts.isNamespaceImport(bindings) ? [bindings.name.text] : []
    }),
  )

  const problem = (node: ts.Node, text: string) => {
    problems.push(`${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}: ${text}`)
  }

  function keyNeed(name: ts.PropertyName): Need {
    if (!ts.isComputedPropertyName(name)) return 'nothing'
    const key = name.expression
    const wellKnown = ts.isPropertyAccessExpression(key) && key.expression.getText(file) === 'Symbol'
    return wellKnown || ts.isStringLiteralLike(key) || ts.isNumericLiteral(key) ? 'nothing' : 'wrap'
  }

  function classNeed(node: ts.ClassLikeDeclaration): Need {
    const parent = node.heritageClauses?.[0]?.types[0]?.expression
    const members = node.members.map((member): Need => {
      if (ts.isClassStaticBlockDeclaration(member)) return 'wrap'
      const key = member.name === undefined ? 'nothing' : keyNeed(member.name)
      const fixed =
        ts.isPropertyDeclaration(member) && ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static
      return most([key, fixed && member.initializer !== undefined ? need(member.initializer) : 'nothing'])
    })
    const extended = parent === undefined || ts.isIdentifier(parent) ? 'nothing' : 'wrap'
    // A mark inside a class saves nothing when the class around it stays, so whatever a class needs, it needs whole.
    return most([extended, ...members]) === 'nothing' ? 'nothing' : 'wrap'
  }

  function need(node: ts.Expression): Need {
    if (
      ts.isIdentifier(node) ||
      ts.isLiteralExpression(node) ||
      ts.isFunctionExpression(node) ||
      ts.isArrowFunction(node) ||
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(node.kind)
    ) {
      return 'nothing'
    }
    if (ts.isParenthesizedExpression(node)) return need(node.expression)
    if (ts.isPropertyAccessExpression(node)) return isNamespaceMember(node) ? 'nothing' : 'wrap'
    if (ts.isConditionalExpression(node))
      return most([node.condition, node.whenTrue, node.whenFalse].map(need))
    if (ts.isTypeOfExpression(node) || ts.isVoidExpression(node)) return need(node.expression)
    if (ts.isPrefixUnaryExpression(node)) {
      const inert = node.operator === ts.SyntaxKind.ExclamationToken || ts.isNumericLiteral(node.operand)
      return inert ? need(node.operand) : 'wrap'
    }
    if (ts.isBinaryExpression(node)) {
      const constant = [node.left, node.right].every(
        (side) => ts.isNumericLiteral(side) || ts.isStringLiteralLike(side),
      )
      return constant || INERT_OPERATORS.has(node.operatorToken.kind)
        ? most([node.left, node.right].map(need))
        : 'wrap'
    }
    if (ts.isArrayLiteralExpression(node)) return most(node.elements.map(need))
    if (ts.isObjectLiteralExpression(node)) {
      return most(
        node.properties.map((property) => {
          if (ts.isSpreadAssignment(property)) return 'wrap'
          if (ts.isShorthandPropertyAssignment(property)) return 'nothing'
          const value = ts.isPropertyAssignment(property) ? need(property.initializer) : 'nothing'
          return most([keyNeed(property.name), value])
        }),
      )
    }
    if (ts.isClassExpression(node)) return classNeed(node)
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const called = ts.isParenthesizedExpression(node.expression)
        ? node.expression.expression
        : node.expression
      // A mark at the start of `a().b()` is read differently by different bundlers.
      const plain = ts.isFunctionExpression(called) || ts.isArrowFunction(called) || isName(called)
      return plain ? most(['annotate', ...(node.arguments ?? []).map(need)]) : 'wrap'
    }
    return 'wrap'
  }

  function isName(node: ts.Expression): boolean {
    return ts.isIdentifier(node) || (ts.isPropertyAccessExpression(node) && isName(node.expression))
  }

  function isNamespaceMember(node: ts.PropertyAccessExpression): boolean {
    return ts.isIdentifier(node.expression) && namespaces.has(node.expression.text)
  }

  function isMarked(node: ts.Node): boolean {
    return /\/\*\s*[@#]__PURE__\s*\*\/\s*\(?$/.test(code.slice(0, node.getStart(file)))
  }

  /** Marks the calls of an expression that needs no more than marks; function bodies run later and are left alone. */
  function mark(node: ts.Node): void {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return
    if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && !isMarked(node)) {
      edits.push({ at: node.getStart(file), text: PURE })
    }
    ts.forEachChild(node, mark)
  }

  function treat(node: ts.Expression): void {
    const needed = need(node)
    if (needed === 'annotate') mark(node)
    else if (needed === 'wrap' && containsAwait(node)) problem(node, 'waits while the module loads')
    else if (needed === 'wrap') {
      edits.push({ at: node.getStart(file), text: `${PURE}(() => (` }, { at: node.getEnd(), text: '))()' })
    }
  }

  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (!ts.isIdentifier(declaration.name))
          problem(declaration, 'takes a value apart, which bundlers keep')
        else if (declaration.initializer !== undefined) treat(declaration.initializer)
      }
    } else if (ts.isClassDeclaration(statement)) {
      if (classNeed(statement) === 'nothing') continue
      const name = statement.name?.text
      const keyword = classKeyword(statement, file)
      if (name === undefined || keyword === undefined) {
        problem(statement, 'a class without a name that does something while the module loads')
        continue
      }
      edits.push(
        { at: keyword, text: `const ${name} = ${PURE}(() => { ` },
        { at: statement.getEnd(), text: ` return ${name}; })();` },
      )
    } else if (ts.isExportAssignment(statement)) {
      treat(statement.expression)
    } else if (!isDeclarative(statement)) {
      problem(
        statement,
        'does something while the module loads, so bundlers keep it, or drop it if they are configured to',
      )
    }
  }
  return { edits: [...edits].sort((a, b) => a.at - b.at), problems }
}

function isDeclarative(statement: ts.Statement): boolean {
  return (
    ts.isImportDeclaration(statement) ||
    ts.isExportDeclaration(statement) ||
    ts.isFunctionDeclaration(statement) ||
    ts.isEmptyStatement(statement)
  )
}

/** The position of the word `class`, after `export`; undefined for a default export, which cannot become a constant. */
function classKeyword(node: ts.ClassDeclaration, file: ts.SourceFile): number | undefined {
  if (node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword)) return undefined
  return node
    .getChildren(file)
    .find((child) => child.kind === ts.SyntaxKind.ClassKeyword)
    ?.getStart(file)
}

function containsAwait(node: ts.Node): boolean {
  if (ts.isFunctionLike(node)) return false
  return ts.isAwaitExpression(node) || ts.forEachChild(node, containsAwait) === true
}
