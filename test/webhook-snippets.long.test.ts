// Covers: docs/webhooks.md server/platform/standard-webhooks.ts
// The snippets of docs/webhooks.md verify what Kith signs, and refuse what it did not. Each runs where its interpreter is.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook as Referee } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newSecret, signatureHeaders, signingKey } from '../server/platform/standard-webhooks.ts'

const text = readFileSync('docs/webhooks.md', 'utf8')
const snippet = (language: string) => text.split(`\`\`\`${language}\n`)[1]!.split('\n```')[0]!

const goImports = [
  'crypto/hmac',
  'crypto/sha256',
  'encoding/base64',
  'encoding/json',
  'fmt',
  'math',
  'os',
  'strconv',
  'strings',
  'time',
]
/** Each reads cases from cases.json and prints the answers as JSON. */
const programs: Record<string, { command: string[]; file: string; program: string }> = {
  js: {
    command: [process.execPath],
    file: 'verify.mjs',
    program: `import { readFileSync } from 'node:fs'\n${snippet('js')}
console.log(JSON.stringify(JSON.parse(readFileSync('cases.json')).map((c) => verify(c.secret, c.headers, c.body))))`,
  },
  python: {
    command: ['python3'],
    file: 'verify.py',
    program: `import json\n${snippet('python')}
print(json.dumps([verify(c["secret"], c["headers"], c["body"].encode()) for c in json.load(open("cases.json"))]))`,
  },
  php: {
    command: ['php'],
    file: 'verify.php',
    program: `<?php\n${snippet('php')}
echo json_encode(array_map(fn($c) => verify($c['secret'], $c['headers'], $c['body']), json_decode(file_get_contents('cases.json'), true)));`,
  },
  go: {
    command: ['go', 'run'],
    file: 'verify.go',
    program: `package main\nimport (${goImports.map((name) => `\n"${name}"`).join('')}\n)\n${snippet('go')}
type Case struct { Secret string; Headers map[string]string; Body string }
func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []Case
	json.Unmarshal(text, &cases)
	answers := []bool{}
	for _, c := range cases { answers = append(answers, verify(c.Secret, c.Headers, []byte(c.Body))) }
	out, _ := json.Marshal(answers)
	fmt.Println(string(out))
}`,
  },
  ruby: {
    command: ['ruby'],
    file: 'verify.rb',
    program: `require "json"\n${snippet('ruby')}
puts JSON.generate(JSON.parse(File.read("cases.json")).map { |c| verify(c["secret"], c["headers"], c["body"]) })`,
  },
}

const isHere = ([command]: string[]) =>
  spawnSync(command!, [command === 'go' ? 'version' : '--version'], { stdio: 'ignore' }).status === 0

const [secret, other] = [newSecret(), newSecret()]
const body = JSON.stringify({ type: 'record.updated', record: { title: 'Zoë 😀' } })
const signed = (secrets: string[], at = new Date()) => signatureHeaders(secrets.map(signingKey), 'evt.0', at, body)
const cases = [
  { secret, headers: signed([secret]), body, is: true },
  { secret, headers: signed([other, secret]), body, is: true },
  { secret, headers: signed([other]), body, is: false },
  { secret, headers: signed([secret]), body: `${body} `, is: false },
  { secret, headers: { ...signed([secret]), 'webhook-id': 'evt.1' }, body, is: false },
  { secret, headers: signed([secret], new Date(Date.now() - 600_000)), body, is: false },
  { secret, headers: { ...signed([secret]), 'webhook-signature': 'v1a,AAAA v1,' }, body, is: false },
]

test('the library of Standard Webhooks agrees with the cases', () => {
  const answer = (one: (typeof cases)[number]) => {
    try {
      return Boolean(new Referee(one.secret).verify(one.body, one.headers))
    } catch {
      return false
    }
  }
  expect(cases.map(answer)).toEqual(cases.map(({ is }) => is))
})

test.each(Object.entries(programs))(
  'the snippet in %s accepts what is signed and nothing else',
  (_, { command, file, program }) => {
    if (!isHere(command)) return
    const folder = mkdtempSync(join(tmpdir(), 'kith-snippets-'))
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases))
    writeFileSync(join(folder, file), program)
    const { stdout, stderr } = spawnSync(command[0]!, [...command.slice(1), file], { cwd: folder, encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(cases.map(({ is }) => is))
  },
)
