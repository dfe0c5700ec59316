import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Webhook as Signer } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { snippets } from './snippets.ts'

type Runner = { file: string; version: string[]; run: string[]; more?: Record<string, string> }

/** For each language: the snippet's file, and a program that ends with an error if request.json is refused. */
const runners: Record<string, Runner> = {
  'Node.js': {
    file: 'verify.mjs',
    version: [process.execPath, '--version'],
    run: [process.execPath, 'main.mjs'],
    more: {
      'main.mjs': `import { readFileSync } from 'node:fs'
import { verify } from './verify.mjs'
const { body, headers, secret } = JSON.parse(readFileSync('request.json', 'utf8'))
verify(body, headers, secret)`,
    },
  },
  Python: {
    file: 'verify.py',
    version: ['python3', '--version'],
    run: ['python3', 'main.py'],
    more: {
      'main.py': `import json
from verify import verify
given = json.load(open("request.json"))
verify(given["body"].encode(), given["headers"], given["secret"])`,
    },
  },
  PHP: {
    file: 'verify.php',
    version: ['php', '--version'],
    run: ['php', 'main.php'],
    more: {
      'main.php': `<?php
require 'verify.php';
$given = json_decode(file_get_contents('request.json'), true);
verify($given['body'], $given['headers'], $given['secret']);`,
    },
  },
  Go: {
    file: 'kith/verify.go',
    version: ['go', 'version'],
    run: ['go', 'run', '.'],
    more: {
      'go.mod': 'module example.com/receiver\n',
      'main.go': `package main
import ("encoding/json"; "example.com/receiver/kith"; "net/http"; "os")
func main() {
	var given struct { Body, Secret string; Headers map[string]string }
	text, _ := os.ReadFile("request.json")
	json.Unmarshal(text, &given)
	headers := http.Header{}
	for name, value := range given.Headers { headers.Set(name, value) }
	if kith.Verify([]byte(given.Body), headers, given.Secret) != nil { os.Exit(1) }
}`,
    },
  },
  Ruby: {
    file: 'verify.rb',
    version: ['ruby', '--version'],
    run: ['ruby', 'main.rb'],
    more: {
      'main.rb': `require_relative "verify"
given = JSON.parse(File.read("request.json"))
verify(*given.values_at("body", "headers", "secret"))`,
    },
  },
}

const isThere = ([command, ...options]: string[]) => spawnSync(command!, options).status === 0

test.each(snippets.filter(({ name }) => isThere(runners[name]!.version)))(
  'the code for $name accepts signed requests and refuses changed, old and foreign ones',
  ({ name, code }) => {
    const { file, run, more } = runners[name]!
    const folder = mkdtempSync(join(tmpdir(), 'kith-verify-'))
    for (const [path, text] of Object.entries({ [file]: code, ...more })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const [id, body] = ['evt.1', '{"record":{"name":"Müller & Söhne"}}']
    const signed = (at: Date, by = secret) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      // During a rotation, the signature by the other secret stands beside it.
      'webhook-signature': `v1,${randomBytes(32).toString('base64')} ${new Signer(by).sign(id, at, body)}`,
    })
    const accepts = (request: { body: string; headers: object }) => {
      writeFileSync(join(folder, 'request.json'), JSON.stringify({ ...request, secret }))
      return spawnSync(run[0]!, run.slice(1), { cwd: folder }).status === 0
    }
    const now = new Date()
    expect(accepts({ body, headers: signed(now) })).toBe(true)
    expect(accepts({ body: `${body} `, headers: signed(now) })).toBe(false)
    expect(accepts({ body, headers: signed(new Date(now.getTime() - 600_000)) })).toBe(false)
    expect(accepts({ body, headers: signed(now, `whsec_${randomBytes(32).toString('base64')}`) })).toBe(false)
    rmSync(folder, { recursive: true })
  },
  60_000,
)
