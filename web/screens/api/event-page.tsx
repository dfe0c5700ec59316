import { Link } from '@tanstack/react-router'
import type { ApiDocument, WebhookEvent } from '../../../contract/document/api-document.ts'
import { partsOf } from '../../../contract/document/schema-words.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { Part } from '../../ui/basics/layout.tsx'
import { CodeBlock } from '../../ui/text/code.tsx'
import css from './api-page.module.css'
import { headingId, route } from './description.ts'
import { ChosenHeading, ObjectSelect, useObjectNamed } from './operation-page.tsx'
import { schemasWith } from './record-schemas.ts'
import { SchemaTree } from './schema-tree.tsx'

/** What a webhook receives. */
export function EventPage({ document, type, event }: { document: ApiDocument; type: string; event: WebhookEvent }) {
  const { object: chosen } = route.useSearch()
  const isDeal = type.startsWith('deal.')
  const object = useObjectNamed(isDeal ? 'deals' : chosen, true)
  const schemas = schemasWith(document.components.schemas, object)
  const { schema, example } = event.requestBody.content['application/json']!
  return (
    <article className={css.operation} aria-labelledby={headingId}>
      <div className={css.about}>
        <header className={css.head}>
          <ChosenHeading>{type}</ChosenHeading>
          <p>{event.summary}. Kith sends it to every webhook that subscribes to it.</p>
          <p className={css.note}>
            <Link to={pages.api} search={{ operation: 'createWebhook' }}>
              Create a webhook
            </Link>{' '}
            to receive it, or{' '}
            <Link to={pages.api} search={{ operation: 'listEvents' }}>
              list past events
            </Link>{' '}
            in the same format.
          </p>
          {!isDeal && object && <ObjectSelect object={object} />}
        </header>
        <Part title="Headers">
          <SchemaTree
            label="Headers"
            isAnswer
            schemas={schemas}
            parts={event.parameters.map(({ name, schema, description, required }) => ({
              name,
              schema: { ...schema, ...(description && { description }) },
              isRequired: required,
            }))}
          />
        </Part>
        <Part title="Body">
          <SchemaTree label="Body" isAnswer parts={partsOf(schema, schemas)} schemas={schemas} />
        </Part>
      </div>
      <div className={css.panel}>
        <CodeBlock code={JSON.stringify(example, null, 2)} what="example" caption="Example" />
      </div>
    </article>
  )
}
