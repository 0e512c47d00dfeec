import { KEYCHAIN_SERVICE, type KeychainTool } from './keychain-tool.ts'

const COMMAND = 'security'
/** errSecItemNotFound, as an exit code of `security`. */
const NOT_FOUND = 44

const toEntry = (account: string) => ['-s', KEYCHAIN_SERVICE, '-a', account]

/** The login keychain of macOS. */
export const macosKeychain: KeychainTool = {
  installation: 'It is a part of macOS: check that PATH contains /usr/bin',
  store: (account, value) => ({
    command: COMMAND,
    // In its interactive mode, `security` reads commands from standard input, so that the value is no
    // parameter of a process.
    parameters: ['-i'],
    input: `add-generic-password -U ${toEntry(account).join(' ')} -w ${value}\n`,
  }),
  find: (account) => ({
    command: COMMAND,
    parameters: ['find-generic-password', ...toEntry(account), '-w'],
    input: '',
  }),
  remove: (account) => ({
    command: COMMAND,
    parameters: ['delete-generic-password', ...toEntry(account)],
    input: '',
  }),
  isMissing: ({ exitCode }) => exitCode === NOT_FOUND,
}
