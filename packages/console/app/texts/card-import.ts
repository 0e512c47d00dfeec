export const importTexts = {
  file: { rows: (count: string) => (count === '1' ? '1 row' : `${count} rows`) },
  fileProblems: {
    empty: {
      title: 'The file is empty',
      advice: 'Its first row must name the columns, and a row for each card follows.',
    },
    tooLarge: {
      title: 'The file is too large',
      advice: 'Divide it into files of at most 20 MB and 50,000 rows, or use the command line.',
    },
    unclosed: (line: number) => ({
      title: `Line ${line}: a quoted cell does not end`,
      advice: 'Add the missing quote, or save the file from the spreadsheet again.',
    }),
    afterQuote: (line: number) => ({
      title: `Line ${line}: something follows a closing quote`,
      advice: 'Double the quotes inside of a cell, or save the file from the spreadsheet again.',
    }),
    insideCell: (line: number) => ({
      title: `Line ${line}: a cell without quotes has a quote`,
      advice:
        'Put the cell into quotes and double the quote inside, or save the file from the spreadsheet again.',
    }),
    unreadable: {
      title: 'The file cannot be read',
      advice: 'Choose it again. It may have been changed or moved.',
    },
  },
  check: {
    ready: (count: string) => (count === '1' ? '1 row can be imported' : `${count} rows can be imported`),
    bad: (count: string) => (count === '1' ? '1 row has a problem' : `${count} rows have problems`),
  },
  start: (count: string) => (count === '1' ? 'Import 1 card' : `Import ${count} cards`),
  sentBefore: {
    title: (count: string) =>
      count === '1' ? '1 row was imported before' : `${count} rows were imported before`,
  },
  progressLabel: 'Progress of the import',
  report: {
    created: (count: string) => (count === '1' ? '1 card is created' : `${count} cards are created`),
    failed: (count: string) => (count === '1' ? '1 row was not imported' : `${count} rows were not imported`),
    skipped: (count: string) =>
      count === '1'
        ? '1 row was left out: an equal row was imported from another file'
        : `${count} rows were left out: equal rows were imported from other files`,
    unknown: (count: string) =>
      count === '1'
        ? 'Of 1 row it is not known whether it was imported'
        : `Of ${count} rows it is not known whether they were imported`,
  },
} as const
