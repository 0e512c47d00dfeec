export class NoSuchAccount extends Error {
  override readonly name = 'NoSuchAccount'
  constructor(which: string | number) {
    super(`There is no account ${which}.`)
  }
}
