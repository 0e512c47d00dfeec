// docs/guides/other-languages.md has a function that signs in each language. It signs the published vectors and calls the gateway.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Listening, listen } from '@mintmark/server-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestGateway, testGateway } from '../../packages/gateway-server/src/testing/gateway.ts'
import { run } from '../../tools/run.ts'
import type { Vector } from '../../tools/runtimes/program.ts'
import { repositoryRoot } from '../../tools/workspace.ts'
import { referencePages } from '../site/reference/pages.ts'

const page = readFileSync(join(repositoryRoot, 'docs/guides/other-languages.md'), 'utf8')

interface CanonicalVector extends Vector {
  readonly canonicalQuery: string
}
const vectors: readonly CanonicalVector[] = JSON.parse(
  readFileSync(join(repositoryRoot, 'packages/core-auth/testdata/signing-vectors.json'), 'utf8'),
)

interface Language {
  /** The language of the page's blocks. */
  readonly name: string
  /** The file of the function. */
  readonly library: string
  readonly program: string
  readonly command: readonly string[]
  /** Whether the interpreter is installed. */
  readonly version: readonly string[]
  /** Writes a program that prints the canonical query and the signature of a vector. */
  readonly writeVector: (vector: CanonicalVector) => string
  /** A program that creates a card twice with one Idempotency-Key, and prints the reason of a refused verification. */
  readonly repeated: string
}

const quoted = (text: string) => JSON.stringify(text)

const CREATE = '/api/v1/card/promoCodeCards/create'
const VERIFY = '/api/v1/card/promoCodeCards/verification/create'
const TERMS = `{"name":"Tea","startTime":"2026-01-01T00:00:00Z","endTime":"2099-12-31T23:59:59Z","totalIssued":1}`

const LANGUAGES: readonly Language[] = [
  {
    name: 'python',
    library: 'mintmark.py',
    program: 'call.py',
    command: ['python3', 'call.py'],
    version: ['python3', '--version'],
    writeVector: (each) =>
      `from mintmark import sign\n` +
      `query, _, signature = sign(${quoted(each.secret)}, ${quoted(each.method)}, ${quoted(each.path)}, ${JSON.stringify(each.query)}, ${quoted(each.body)}.encode(), ${quoted(each.timestamp)})\n` +
      `print(query + "\\n" + signature)\n`,
    repeated: `import json
from mintmark import Failure, call
terms = json.loads('${TERMS}')
one, two = (call("POST", "${CREATE}", body=terms, headers={"Idempotency-Key": "tea-python"})["id"] for _ in range(2))
def redeem(store):
    return call("POST", "${VERIFY}", body={"id": one, "nonce": "python", "action": "REDEEM", "store": store})
used = redeem("Berlin")
try:
    redeem("Hamburg")
except Failure as failure:
    print(str(one == two).lower(), used["result"], failure.data["reason"], failure.code, failure)
`,
  },
  {
    name: 'go',
    library: 'mintmark.go',
    program: 'call.go',
    command: ['go', 'run', 'mintmark.go', 'call.go'],
    version: ['go', 'version'],
    writeVector: ({ secret, timestamp, method, path, query, body }) =>
      `package main\nimport "fmt"\nfunc main() {\n` +
      `query, signature := Sign(${[secret, timestamp, method, path].map(quoted).join(', ')}, [][2]string{${query.map((pair) => `{${pair.map(quoted).join(', ')}}`).join(', ')}}, []byte(${quoted(body)}))\n` +
      `fmt.Println(query + "\\n" + signature)\n}\n`,
    repeated: `package main
import ("errors"; "fmt")
func main() {
  var cards [2]struct{ Id int64 }
  for i := range cards {
    if err := Call("POST", "${CREATE}", nil, []byte(\`${TERMS}\`), &cards[i], [2]string{"Idempotency-Key", "tea-go"}); err != nil { panic(err) }
  }
  var used struct{ Result, Reason string }
  var failure *Failure
  for _, store := range []string{"Berlin", "Hamburg"} {
    body := fmt.Sprintf(\`{"id":%d,"nonce":"go","action":"REDEEM","store":"%s"}\`, cards[0].Id, store)
    errors.As(Call("POST", "${VERIFY}", nil, []byte(body), &used), &failure)
  }
  fmt.Println(cards[0] == cards[1], used.Result, failure.Data["reason"], failure)
}
`,
  },
  {
    name: 'php',
    library: 'mintmark.php',
    program: 'call.php',
    command: ['php', 'call.php'],
    version: ['php', '--version'],
    writeVector: ({ secret, timestamp, method, path, query, body }) =>
      `<?php\nrequire 'mintmark.php';\n` +
      `echo implode("\\n", sign(${[secret, timestamp, method, path].map(quoted).join(', ')}, ${JSON.stringify(query)}, ${quoted(body)})), "\\n";\n`,
    repeated: `<?php
require 'mintmark.php';
[$one, $two] = array_map(fn () => call('POST', '${CREATE}', [], json_decode('${TERMS}', true), ['Idempotency-Key: tea-php'])['id'], [1, 2]);
$redeem = fn ($store) => call('POST', '${VERIFY}', [], ['id' => $one, 'nonce' => 'php', 'action' => 'REDEEM', 'store' => $store]);
$used = $redeem('Berlin');
try {
    $redeem('Hamburg');
} catch (Failure $failure) {
    echo var_export($one === $two, true), " {$used['result']} {$failure->data['reason']} {$failure->getCode()} {$failure->getMessage()}";
}
`,
  },
  {
    name: 'bash',
    library: 'mintmark.sh',
    program: 'call.sh',
    command: ['bash', 'call.sh'],
    version: ['bash', '-c', 'command -v openssl curl'],
    writeVector: ({ secret, timestamp, method, path, canonicalQuery, body }) =>
      `source mintmark.sh\nMINTMARK_CURL=echo MINTMARK_SECRET=${secret} MINTMARK_TIMESTAMP=${timestamp}\n` +
      `echo '${canonicalQuery}'; call ${method} ${path} '${canonicalQuery}' '${body}' | grep -oE 'X-Signature: [0-9a-f]+' | cut -d' ' -f2\n`,
    repeated: `source mintmark.sh
for i in 1 2; do MINTMARK_TIMESTAMP=$(date +%s)00$i call POST ${CREATE} '' '${TERMS}' --header 'Idempotency-Key: tea-curl' > $i; done
cmp -s 1 2 && id=$(grep -o '"id":[0-9]*' 1)
for store in Berlin Hamburg; do call POST ${VERIFY} '' "{$id,\\"nonce\\":\\"curl\\",\\"action\\":\\"REDEEM\\",\\"store\\":\\"$store\\"}" > $store; done
echo true $(grep -o OK Berlin) $(grep -o NONCE_REUSED Hamburg) $(grep -o 40922 Hamburg) $(grep -o 'This device has used the nonce' Hamburg)
`,
  },
]

const isInstalled = ([command = '', ...parameters]: readonly string[]) =>
  spawnSync(command, parameters).status === 0

/** The page's blocks in a language: the function, and the program that calls it. */
function readBlocks(name: string): readonly string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${name}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code = '']) => code,
  )
}

let gateway: TestGateway
let listening: Listening
let folder: string

/** What the programs read. */
const readEnvironment = () => ({
  MINTMARK_GATEWAY_URL: listening.url,
  MINTMARK_API_KEY: gateway.key.apiKey,
  MINTMARK_SECRET: gateway.key.secret,
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-languages-'))
  gateway = await testGateway()
  listening = await listen(gateway.app, { port: 0 })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await listening.close()
  await gateway.close()
})

it.each(LANGUAGES)('the page has a function of at most 66 lines and a program for $name', ({ name }) => {
  const blocks = readBlocks(name)
  expect(blocks).toHaveLength(2)
  expect(blocks[0]?.trim().split('\n').length).toBeLessThanOrEqual(name === 'bash' ? 10 : 66)
})

describe.each(LANGUAGES)(
  'the function for $name',
  ({ name, library, program, command, version, writeVector, repeated }) => {
    const [executable = '', ...parameters] = command
    const why = `${version[0]} is not installed`

    /** Runs a program in a folder that has the page's function. */
    async function runProgram(code: string, env: Record<string, string>): Promise<string> {
      const cwd = mkdtempSync(join(folder, `${name}-`))
      writeFileSync(join(cwd, library), readBlocks(name)[0] ?? '')
      writeFileSync(join(cwd, program), code)
      const cache = join(folder, 'cache')
      mkdirSync(cache, { recursive: true })
      const own = { GOCACHE: cache, GOFLAGS: '-mod=mod', GO111MODULE: 'off', PYTHONDONTWRITEBYTECODE: '1' }
      return await run(executable, parameters, { cwd, env: { ...process.env, ...own, ...env } })
    }

    it('signs the published vectors', async (context) => {
      if (!isInstalled(version)) return context.skip(why)
      for (const vector of vectors) {
        const printed = await runProgram(writeVector(vector), {})
        expect(printed.trim().split('\n')).toEqual(
          expect.arrayContaining([
            ...(vector.canonicalQuery ? [vector.canonicalQuery] : []),
            vector.signature,
          ]),
        )
      }
    })

    it('calls the gateway', async (context) => {
      if (!isInstalled(version)) return context.skip(why)
      const printed = await runProgram(readBlocks(name)[1] ?? '', readEnvironment())
      expect(printed).toMatch(name === 'bash' ? /^1\n"totalRow":[1-9]/ : /^true [1-9]/i)
    })

    it('sends an Idempotency-Key, and returns the reason of a refused call', async (context) => {
      if (!isInstalled(version)) return context.skip(why)
      const printed = await runProgram(repeated, readEnvironment())
      expect(printed).toMatch(/^true OK NONCE_REUSED 40922 .*This device has used the nonce/)
    })
  },
)

it('the command of the page sets what the programs read from the credentials of a sandbox', async () => {
  const [, command = ''] = /^```sh\n(export \$\([\s\S]*?)^```$/m.exec(page) ?? []
  const cwd = mkdtempSync(join(folder, 'credentials-'))
  mkdirSync(join(cwd, '.mintmark'))
  const found = { baseUrl: 'http://gateway.test', apiKey: 'mk_1', secret: 'sk_1' }
  writeFileSync(join(cwd, '.mintmark/credentials.json'), JSON.stringify({ gateway: found }))
  const print = 'echo $MINTMARK_GATEWAY_URL $MINTMARK_API_KEY $MINTMARK_SECRET'
  expect(await run('sh', ['-c', `${command}${print}`], { cwd })).toBe('http://gateway.test mk_1 sk_1\n')
})

it('the command for curl of an operation in the reference calls the gateway', async (context) => {
  if (!isInstalled(['bash', '-c', 'command -v openssl curl']))
    return context.skip('openssl or curl is missing')
  const { pages } = await referencePages(repositoryRoot)
  const [, section = ''] = pages.get('cards/promoCodeCards.md')?.split('### `promoCodeCards.create`') ?? []
  const [, command = ''] = /^```sh \[curl\]\n([\s\S]*?)^```$/m.exec(section) ?? []
  const cwd = mkdtempSync(join(folder, 'reference-'))
  writeFileSync(join(cwd, 'mintmark.sh'), readBlocks('bash')[0] ?? '')
  const env = { ...process.env, ...readEnvironment() }
  const printed = await run('bash', ['-c', `source mintmark.sh\n${command}`], { cwd, env })
  expect(JSON.parse(printed)).toMatchObject({ success: true, data: { name: 'A free coffee' } })
})
