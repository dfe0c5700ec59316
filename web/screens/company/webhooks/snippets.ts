// How a receiver verifies a request, by language. Only what each language brings along is used.

const node = `import { createHmac, timingSafeEqual } from 'node:crypto'

/** \`body\` is the request body as received; names of headers are in lower case. */
export function verify(body, headers, secret) {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const age = Math.abs(Date.now() / 1000 - Number(timestamp))
  if (!(age < 300)) throw new Error('Too old or too new')
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest()
  const isSigned = headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  if (!isSigned) throw new Error('Wrong signature')
  return JSON.parse(body)
}`

const python = `import base64, hashlib, hmac, json, time


def verify(body: bytes, headers, secret: str):
    """\`body\` is the request body as received."""
    id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("Too old or too new")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" ")):
        raise ValueError("Wrong signature")
    return json.loads(body)`

const php = `<?php
/** $body is the request body as received: file_get_contents('php://input'). */
function verify(string $body, array $headers, string $secret): array
{
    ['webhook-id' => $id, 'webhook-timestamp' => $timestamp] = $headers;
    if (abs(time() - (int) $timestamp) > 300) throw new Exception('Too old or too new');
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $given)
        if (hash_equals($expected, $given)) return json_decode($body, true);
    throw new Exception('Wrong signature');
}`

const go = `package kith

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify needs the request body as received.
func Verify(body []byte, headers http.Header, secret string) error {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	sent, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-sent)) > 300 {
		return errors.New("too old or too new")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(given), []byte(expected)) {
			return nil
		}
	}
	return errors.New("wrong signature")
}`

const ruby = `require "base64"
require "json"
require "openssl"

# body is the request body as received.
def verify(body, headers, secret)
  id, timestamp = headers.values_at("webhook-id", "webhook-timestamp")
  raise "Too old or too new" if (Time.now.to_i - Integer(timestamp)).abs > 300
  key = Base64.decode64(secret.delete_prefix("whsec_"))
  expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{body}"))
  signatures = headers["webhook-signature"].split(" ")
  raise "Wrong signature" unless signatures.any? { |given| OpenSSL.secure_compare(given, expected) }
  JSON.parse(body)
end`

export const snippets = [
  { name: 'Node.js', code: node },
  { name: 'Python', code: python },
  { name: 'PHP', code: php },
  { name: 'Go', code: go },
  { name: 'Ruby', code: ruby },
]
