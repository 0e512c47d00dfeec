import { t } from '../../../language/translate.ts'

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/**
 * `unclosed`: a quoted cell does not end. `afterQuote`: something follows the quote that ends a cell.
 * `insideCell`: a cell without quotes has one.
 */
export type CsvProblem = 'unclosed' | 'afterQuote' | 'insideCell'

/** A text that is no CSV. */
export class CsvFormatError extends Error {
  override readonly name = 'CsvFormatError'
  /** The line of the problem, from 1. */
  readonly line: number
  readonly problem: CsvProblem

  constructor(problem: CsvProblem, line: number) {
    super(t('Line {line}: {problem}', { line, problem }))
    this.problem = problem
    this.line = line
  }
}
