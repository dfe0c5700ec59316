import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type ApiDocument, operationsOf } from '../../../contract/document/api-document.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { Page } from '../../ui/basics/page.tsx'
import { Message } from '../../ui/basics/states.tsx'
import css from './api-page.module.css'
import { descriptionQuery, headingId, route } from './description.ts'
import { EventPage } from './event-page.tsx'
import { OperationList } from './operation-list.tsx'
import { OperationPage } from './operation-page.tsx'
import { Overview } from './overview.tsx'

/** Every operation with its inputs, answers and errors, ready to copy and to try out. */
export function ApiPage() {
  const description = useQuery(descriptionQuery)
  const { operation } = route.useSearch()
  return (
    <Page wide title="API" lead="Everything that programs and agents can do in Kith, with your own objects and fields.">
      <Loaded query={description} what="the description of the API" height={480}>
        {(document) => (
          <div className={css.layout} data-chosen={operation ? true : undefined}>
            <OperationList document={document} chosen={operation} />
            <div className={css.content}>
              <Chosen document={document} />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Chosen({ document }: { document: ApiDocument }) {
  const { operation: name } = route.useSearch()
  // Only in memory, and only while the page is open. Kept here, it stays when another operation is chosen.
  const [key, setKey] = useState('')
  const before = useRef(name)
  useEffect(() => {
    if (name !== before.current) window.document.getElementById(headingId)?.focus()
    before.current = name
  }, [name])
  if (!name) return <Overview document={document} />
  const operation = operationsOf(document).find(({ operationId }) => operationId === name)
  const event = document.webhooks?.[name]?.post
  return (
    <>
      <Link to={pages.api} search={({ object }) => ({ object })} className={css.back}>
        <ArrowLeft size={14} />
        All operations
      </Link>
      {operation ? (
        <OperationPage key={name} document={document} operation={operation} apiKey={key} onKey={setKey} />
      ) : event ? (
        <EventPage key={name} document={document} type={name} event={event} />
      ) : (
        <Message icon={SearchX} title="This operation does not exist">
          It may have been renamed. Choose one from the list.
        </Message>
      )}
    </>
  )
}
