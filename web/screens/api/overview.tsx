import { Link } from '@tanstack/react-router'
import { type ApiDocument, operationsOf } from '../../../contract/document/api-document.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { apiConnectors } from '../../client/areas.ts'
import { keyHeader, mcpEndpoint } from '../../keys/clients.ts'
import { Part } from '../../ui/basics/layout.tsx'
import { Facts } from '../../ui/page/facts.tsx'
import { CopyCode } from '../../ui/text/code.tsx'
import css from './api-page.module.css'
import { ErrorList } from './error-list.tsx'
import { Method } from './operation-list.tsx'

/** What to begin with, if a company has nothing but the built-in objects as well. */
const first = ['whoami', 'describeSchema', 'queryRecords', 'upsertRecords', 'aggregateRecords', 'createWebhook']

/** What holds for every operation. */
export function Overview({ document }: { document: ApiDocument }) {
  const operations = operationsOf(document)
  const begin = first.flatMap((name) => operations.find(({ operationId }) => operationId === name) ?? [])
  const errors = Object.entries(document.components.responses).flatMap(([status, { description }]) =>
    /^\d/.test(status) ? [{ status, description }] : [],
  )
  return (
    <div className={css.overview}>
      <Facts
        of={[
          ['REST', <CopyCode key="rest" value={`${location.origin}/api/v1`} what="base URL" whole />],
          ['MCP', <CopyCode key="mcp" value={mcpEndpoint} what="endpoint" whole />],
          [
            'Key',
            <span key="key">
              In the header <code>{keyHeader}</code>. <Link to={apiConnectors}>Create a key</Link>,{' '}
              <Link to={pages.apiKeys}>how keys work</Link>
            </span>,
          ],
          [
            'Description',
            <span key="file">
              <a href="/api/v1/openapi.json">openapi.json</a> (OpenAPI {document.openapi}), for Postman, Scalar and code
              generators. <a href="/api/v1/docs">Public reference</a>, without signing in
            </span>,
          ],
          ['Version', document.info.version],
        ]}
      />
      <Part title="Start with">
        <ul className={css.first}>
          {begin.map(({ operationId, summary, method, path }) => (
            <li key={operationId}>
              <Link to={pages.api} search={{ operation: operationId }}>
                <Method name={method} />
                <span>{summary}</span>
                <code>{path}</code>
              </Link>
            </li>
          ))}
        </ul>
      </Part>
      <Part title="Errors" about="Every error is a problem document (RFC 9457) with a code, and says what to do next.">
        <ErrorList of={errors} />
      </Part>
    </div>
  )
}
