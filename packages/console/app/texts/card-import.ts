import { t } from '../language/translate.ts'

export const importTexts = {
  file: { rows: (count: number) => t('{count, plural, one {# row} other {# rows}}', { count }) },
  fileProblems: {
    empty: {
      title: t('The file is empty'),
      advice: t('Its first row must name the columns, and a row for each card follows.'),
    },
    tooLarge: {
      title: t('The file is too large'),
      advice: t('Divide it into files of at most 20 MB and 50,000 rows, or use the command line.'),
    },
    unclosed: (line: number) => ({
      title: t('Line {line}: a quoted cell does not end', { line }),
      advice: t('Add the missing quote, or save the file from the spreadsheet again.'),
    }),
    afterQuote: (line: number) => ({
      title: t('Line {line}: something follows a closing quote', { line }),
      advice: t('Double the quotes inside of a cell, or save the file from the spreadsheet again.'),
    }),
    insideCell: (line: number) => ({
      title: t('Line {line}: a cell without quotes has a quote', { line }),
      advice: t(
        'Put the cell into quotes and double the quote inside, or save the file from the spreadsheet again.',
      ),
    }),
    unreadable: {
      title: t('The file cannot be read'),
      advice: t('Choose it again. It may have been changed or moved.'),
    },
  },
  check: {
    ready: (count: number) => t('{count, plural, one {# row} other {# rows}} can be imported', { count }),
    bad: (count: number) =>
      t('{count, plural, one {# row has a problem} other {# rows have problems}}', { count }),
  },
  start: (count: number) => t('Import {count, plural, one {# card} other {# cards}}', { count }),
  sentBefore: {
    title: (count: number) =>
      t('{count, plural, one {# row was} other {# rows were}} imported before', { count }),
  },
  progressLabel: t('Progress of the import'),
  report: {
    created: (count: number) => t('{count, plural, one {# card is} other {# cards are}} created', { count }),
    failed: (count: number) =>
      t('{count, plural, one {# row was} other {# rows were}} not imported', { count }),
    skipped: (count: number) =>
      t(
        '{count, plural, one {# row was left out: an equal row was imported from another file} other {# rows were left out: equal rows were imported from other files}}',
        { count },
      ),
    unknown: (count: number) =>
      t(
        'Of {count, plural, one {# row it is not known whether it was} other {# rows it is not known whether they were}} imported',
        { count },
      ),
  },
} as const
