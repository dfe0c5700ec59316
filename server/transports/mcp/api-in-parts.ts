// The OpenAPI description in parts, because the whole would fill the context of an agent: a list of the operations, and
// each operation with the schemas that it uses.
import { fitted } from './shorten-answer.ts'

type Operation = { operationId: string; [more: string]: unknown }
type Document = {
  servers?: unknown
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}
export type ApiInParts = {
  /** Every operation with its route. */
  index(): string
  names(): string[]
  /** One operation, or undefined if there is none of that name. */
  operation(name: string): string | undefined
}

export function apiInParts(describe: () => object, url: string): ApiInParts {
  let known: { document: Document; routes: Map<string, { route: string; operation: Operation }> } | undefined
  const read = () => {
    if (known) return known
    const document = describe() as Document
    const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.operationId)
        .map(
          ([method, operation]) =>
            [operation.operationId, { route: `${method.toUpperCase()} ${path}`, operation }] as const,
        ),
    )
    known = { document, routes: new Map(routes) }
    return known
  }
  return {
    index: () =>
      JSON.stringify({
        whole: url,
        each: 'crm://openapi/{operation}',
        operations: Object.fromEntries([...read().routes].map(([name, { route }]) => [name, route])),
      }),
    names: () => [...read().routes.keys()],
    operation(name) {
      const { document, routes } = read()
      const found = routes.get(name)
      if (!found) return undefined
      const schemas = schemasOf(document, found.operation)
      return fitted('', { route: found.route, ...found.operation, schemas })
    },
  }
}

/** The schemas that a value refers to, directly or through others. */
function schemasOf({ components }: Document, value: unknown) {
  const found: Record<string, unknown> = {}
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, name] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (name! in found || !(name! in components.schemas)) continue
      found[name!] = components.schemas[name!]
      waiting.push(found[name!])
    }
  return found
}
