export const importTexts = {
  title: (cards: string) => `Import ${cards.toLowerCase()}`,
  description: 'Creates a card for each row of a CSV file. The first row names the columns.',
  file: {
    section: 'File',
    label: 'CSV file',
    choose: 'Choose a file',
    another: 'Choose another file',
    hint: 'From a spreadsheet: save it as CSV (UTF-8). At most 20 MB and 50,000 rows.',
    template: 'Download a template',
    reading: 'Reading the file',
    rows: (count: string) => (count === '1' ? '1 row' : `${count} rows`),
  },
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
  mapping: {
    title: 'Columns',
    description: 'Say which column has which field. A field can have the same value in all rows.',
    source: (field: string) => `Source of ${field}`,
    value: (field: string) => `Value of ${field} in all rows`,
    none: 'Not in the file',
    fixed: 'The same for all rows',
    example: 'First row',
    field: 'Field',
    from: 'From',
    required: 'required',
  },
  check: {
    title: 'Check',
    ready: (count: string) => (count === '1' ? '1 row can be imported' : `${count} rows can be imported`),
    bad: (count: string) => (count === '1' ? '1 row has a problem' : `${count} rows have problems`),
    badAdvice:
      'They are left out. You can download them after the import, correct them, and import that file.',
    none: 'No row can be imported. Assign the columns, or correct the file.',
  },
  start: (count: string) => (count === '1' ? 'Import 1 card' : `Import ${count} cards`),
  sentBefore: {
    title: (count: string) =>
      count === '1' ? '1 row was imported before' : `${count} rows were imported before`,
    advice:
      'In this browser, equal rows of another file were imported, or sent without an answer. A corrected file usually contains them again.',
    lines: (lines: string) => `Lines ${lines}`,
    moreLines: (lines: string, count: string) => `Lines ${lines} and ${count} more`,
    skip: (count: string) => `Import the other ${count}`,
    skipAll: 'Import nothing',
    repeat: (count: string) => `Import all ${count}`,
  },
  continue: 'Continue',
  stop: 'Stop',
  progress: (done: string, total: string) => `${done} of ${total} rows done`,
  progressLabel: 'Progress of the import',
  stopped: {
    title: 'The import has stopped',
    advice: 'Continue it here, or later with the same file. Rows that are imported are not imported again.',
  },
  resumed: {
    title: 'This file was begun before',
    advice: 'The import continues: rows that are imported are not imported again.',
  },
  finished: {
    title: (time: string) => `This file was imported on ${time}`,
    advice: 'Importing it once more creates its cards a second time.',
    again: 'Import it once more',
  },
  report: {
    title: 'Result',
    created: (count: string) => (count === '1' ? '1 card is created' : `${count} cards are created`),
    failed: (count: string) => (count === '1' ? '1 row was not imported' : `${count} rows were not imported`),
    failedAdvice: 'Download them, correct them, and import that file.',
    skipped: (count: string) =>
      count === '1'
        ? '1 row was left out: an equal row was imported from another file'
        : `${count} rows were left out: equal rows were imported from other files`,
    unknown: (count: string) =>
      count === '1'
        ? 'Of 1 row it is not known whether it was imported'
        : `Of ${count} rows it is not known whether they were imported`,
    unknownAdvice:
      'They were sent more than 23 hours ago without an answer. Look in the list of cards before you import them again.',
    download: 'Download the rows that failed',
    list: 'Rows that were not imported',
    seeCards: 'See the cards',
    columns: { line: 'Line', field: 'Field', problem: 'Problem' },
    more: (count: string) => `${count} more problems are in the file of failed rows.`,
    line: (number: string) => `Line ${number}`,
    wholeRow: 'Row',
    unknownReason: 'It is not known whether the row was imported',
  },
  problems: {
    cellCount: (found: number, expected: number) =>
      `The row has ${found} cells, and the first row has ${expected}`,
    required: 'Enter a value',
    integer: 'Enter a whole number from 1',
    number: 'Enter a number such as 12.5',
    boolean: 'Enter yes or no',
    time: 'Enter a date such as 2026-12-31, or a time such as 2026-12-31 18:00',
    endsBeforeStart: 'The end must be after the start',
  },
  notStorage: {
    title: 'This browser cannot store the progress',
    advice:
      'Without that, a repeated import could create cards twice. Leave private browsing, or free some space.',
  },
} as const
