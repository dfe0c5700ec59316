// The API for readers who are not signed in: one plain page from the OpenAPI document, without scripts.

import {
  type ApiDocument,
  type ApiOperation,
  answerOf,
  bodyOf,
  exampleOf,
  inputParameters,
  operationsByTag,
  refusalsOf,
  type Schema,
} from '../../../contract/document/api-document.ts'
import { choicesOf, limitsOf, partsOf, type Schemas, typeWords } from '../../../contract/document/schema-words.ts'
import { callOf, snippetsOf } from '../../../contract/document/snippets.ts'
import type { Access } from '../../../contract/shared/access.ts'
import { escapeHtml as escaped } from '../../kernel/html.ts'

const code = (text: string) => `<code>${escaped(text)}</code>`
/** Text in which `code` is marked. */
const marked = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

export function referencePage(document: ApiDocument, origin: string) {
  const groups = operationsByTag(document)
  const { schemas } = document.components
  const contents = groups.map(({ tag }) => `<li><a href="#${tag.name}">${escaped(tag['x-displayName'])}</a></li>`)
  return `<p>${marked('Send your key in the header `x-api-key`. A key acts as the user who created it and can do what that user can. Requests and responses are JSON.')}</p>
<p>The same as a file: <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}, version ${escaped(document.info.version)}). <a href="/api-reference">Sign in</a> to see your own objects and fields, and to try calls.</p>
<nav aria-label="Contents"><ul>${contents.join('')}${webhooksLink(document)}<li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>
${groups
  .map(({ tag, operations }) =>
    section(
      tag.name,
      tag['x-displayName'],
      tag.description,
      operations.map((one) => operation(one, document, origin)),
    ),
  )
  .join('\n')}
${webhooks(document)}
${section('errors', 'Errors', 'Every error is a problem document (RFC 9457). Programs can rely on the code.', [errorTable(document)])}
${section(
  'schemas',
  'Schemas',
  'What several operations share.',
  Object.entries(schemas).map(([name, schema]) => foldable(code(name), `schema-${name}`, tree(schema, schemas))),
)}`
}

const section = (id: string, title: string, about: string, parts: string[]) =>
  `<section aria-labelledby="${id}"><h2 id="${id}">${escaped(title)}</h2><p>${escaped(about)}</p>${parts.join('')}</section>`

/** The id is inside, so that a link to it opens the part. */
const foldable = (summary: string, id: string, content: string) =>
  `<details><summary>${summary}</summary><div id="${escaped(id)}">${content}</div></details>`

function operation(one: ApiOperation, document: ApiDocument, origin: string) {
  const { schemas } = document.components
  const answer = answerOf(one)
  const parameters = inputParameters(one).map(({ name, required, schema, description }) =>
    row(name, { ...schema, ...(description && { description }) }, required, schemas),
  )
  const input = [
    ...parameters,
    ...partsOf(bodyOf(one)?.schema ?? {}, schemas).map((part) => row(part.name, part.schema, part.isRequired, schemas)),
  ]
  const statuses = refusalsOf(one, document).map(({ status }) => code(status))
  const curl = snippetsOf(callOf(one, exampleOf(one), origin)).find(({ language }) => language === 'curl')?.code ?? ''
  const head = `<span class="method">${one.method}</span> ${code(one.path)} <span>${escaped(one.summary)}</span>`
  return foldable(
    head,
    one.operationId,
    `<p>${one.description ? `${marked(one.description)} ` : ''}${whoMay(one['x-access'])}${one['x-tool'] ? ` MCP tool: ${code(one['x-tool'])}.` : ''}</p>
${input.length ? `<h3>Input</h3><ul>${input.join('')}</ul>` : ''}
<h3>Response</h3><p>${code(answer.status)} ${escaped(answer.type)}</p>${tree(answer.schema, schemas)}
<h3>Errors</h3><p>${statuses.join(', ')}, see <a href="#errors">errors</a>.</p>
<h3>Example</h3><pre tabindex="0">${escaped(curl)}</pre>`,
  )
}

function whoMay(access: Access) {
  if (access === 'public') return 'Needs no key.'
  if (access === 'member') return 'For every user.'
  if (access === 'admin') return 'For Admins.'
  return `For users with the permission ${code(access)}.`
}

/** A shared schema is a link to its own part of the page. */
function typeOf(schema: Schema, schemas: Schemas): string {
  const words = typeWords(schema, schemas)
  const linked = words
    .split(' ')
    .map((word) => (word in schemas ? `<a href="#schema-${word}">${word}</a>` : escaped(word)))
  return linked.join(' ')
}

const isShared = (schema: Schema) => schema.$ref !== undefined || schema.items?.$ref !== undefined

function tree(schema: Schema, schemas: Schemas): string {
  if (isShared(schema)) return `<ul><li>${typeOf(schema, schemas)}</li></ul>`
  const parts = partsOf(schema, schemas)
  return parts.length
    ? `<ul>${parts.map((part) => row(part.name, part.schema, part.isRequired, schemas)).join('')}</ul>`
    : ''
}

function row(name: string, schema: Schema, isRequired: boolean, schemas: Schemas): string {
  const choices = isShared(schema) ? [] : choicesOf(schema, schemas)
  const notes = [
    typeOf(schema, schemas),
    ...(isRequired ? ['required'] : []),
    ...limitsOf(schema, schemas).map(escaped),
  ]
  const about = schema.description ? `<br>${marked(schema.description)}` : ''
  const values = choices.length ? `<br>One of ${choices.map(code).join(', ')}` : ''
  const inner = isShared(schema) || schema.anyOf ? '' : tree(schema, schemas)
  return `<li>${code(name)} <small>${notes.join(', ')}</small>${about}${values}${inner}</li>`
}

const webhooksLink = ({ webhooks }: ApiDocument) =>
  webhooks ? '<li><a href="#webhook-events">Webhook events</a></li>' : ''

function webhooks({ webhooks, components: { schemas } }: ApiDocument) {
  if (!webhooks) return ''
  const events = Object.entries(webhooks).map(([name, { post }]) =>
    foldable(
      `${code(name)} <span>${escaped(post.summary)}</span>`,
      `event-${name}`,
      tree(post.requestBody.content['application/json']!.schema, schemas),
    ),
  )
  return section('webhook-events', 'Webhook events', 'What Kith sends to the address of a webhook.', events)
}

const errorTable = ({ components: { responses } }: ApiDocument) =>
  `<table><thead><tr><th scope="col">Status</th><th scope="col">Code and meaning</th></tr></thead><tbody>${Object.entries(
    responses,
  )
    .filter(([status]) => /^\d/.test(status))
    .map(([status, { description }]) => `<tr><td>${status}</td><td>${marked(description)}</td></tr>`)
    .join('')}</tbody></table>`
