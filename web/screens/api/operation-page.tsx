import { Select } from '@mantine/core'
import { CircleCheck, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  type ApiDocument,
  type ApiOperation,
  answerOf,
  bodyOf,
  inputParameters,
  isUpload,
  refusalsOf,
} from '../../../contract/document/api-document.ts'
import { partsOf, type SchemaPart, typeWords } from '../../../contract/document/schema-words.ts'
import { useSignedIn } from '../../client/session.ts'
import { type ObjectShape, useSchema } from '../../records/data/schema.ts'
import { Part } from '../../ui/basics/layout.tsx'
import { CopyCode } from '../../ui/text/code.tsx'
import css from './api-page.module.css'
import { CallPanel } from './call-panel.tsx'
import { headingId, rightTo, route } from './description.ts'
import { ErrorList } from './error-list.tsx'
import { Method } from './operation-list.tsx'
import { schemasWith } from './record-schemas.ts'
import { SchemaTree } from './schema-tree.tsx'

type Props = { document: ApiDocument; operation: ApiOperation; apiKey: string; onKey: (key: string) => void }

export function OperationPage({ document, operation, apiKey, onKey }: Props) {
  const object = useChosenObject(operation)
  const schemas = schemasWith(document.components.schemas, object)
  const answer = answerOf(operation)
  const answered = partsOf(answer.schema, schemas)
  return (
    <article className={css.operation} aria-labelledby={headingId}>
      <div className={css.about}>
        <Head operation={operation} object={object} />
        <Part title="Input">
          {isUpload(operation) && <p className={css.note}>The body is the content of the file.</p>}
          <Tree label="Input" parts={inputParts(operation, schemas)} schemas={schemas} isOpen none="No input." />
        </Part>
        <Part
          title="Response"
          count={`${answer.status} ${answer.type === 'application/json' ? typeWords(answer.schema, schemas) : answer.type}`}
        >
          <Tree
            label="Response"
            isAnswer
            parts={answered}
            schemas={schemas}
            none={answer.type === 'application/json' ? 'An empty object.' : 'A file.'}
          />
        </Part>
        <Part title="Errors">
          <ErrorList of={refusalsOf(operation, document)} />
        </Part>
      </div>
      <CallPanel
        key={object?.key}
        document={document}
        operation={operation}
        object={object}
        apiKey={apiKey}
        onKey={onKey}
      />
    </article>
  )
}

function Head({ operation, object }: { operation: ApiOperation; object: ObjectShape | undefined }) {
  const { me } = useSignedIn()
  const { isAllowed, words } = rightTo(operation['x-access'], me, object)
  const tool = operation['x-tool']
  return (
    <header className={css.head}>
      <ChosenHeading>{operation.summary}</ChosenHeading>
      <p className={css.address}>
        <Method name={operation.method} />
        <CopyCode value={operation.path} what="path" whole />
      </p>
      {operation.description && <p>{operation.description}</p>}
      <p className={css.right} data-allowed={isAllowed}>
        {isAllowed ? <CircleCheck size={14} /> : <Lock size={14} />}
        {words}
      </p>
      {tool && (
        <p className={css.note}>
          MCP tool <code>{tool}</code>
        </p>
      )}
      {operation.path.includes('{object}') && object && <ObjectSelect object={object} />}
    </header>
  )
}

export const ChosenHeading = ({ children }: { children: ReactNode }) => (
  <h2 id={headingId} tabIndex={-1}>
    {children}
  </h2>
)

/** Whose fields are shown. It lives in the address. */
export function ObjectSelect({ object }: { object: ObjectShape }) {
  const navigate = route.useNavigate()
  return (
    <Select
      label="Object"
      description="Shows its fields below"
      data={useSchema().map(({ key, label_plural }) => ({ value: key, label: label_plural }))}
      value={object.key}
      searchable
      maw={280}
      onChange={(key) =>
        key && void navigate({ search: (now) => ({ ...now, object: key }), replace: true, resetScroll: false })
      }
    />
  )
}

/** The object in the address; otherwise the one that the path or the example names. */
function useChosenObject(operation: ApiOperation) {
  const { object: chosen } = route.useSearch()
  const named = operation.path.includes('{object}') ? chosen : operation.path.includes('/deals/') ? 'deals' : undefined
  return useObjectNamed(named, operation.path.includes('{object}'))
}

export function useObjectNamed(key: string | undefined, isNeeded: boolean) {
  const objects = useSchema()
  const found = (name: string | undefined) => objects.find((one) => one.key === name)
  return found(key) ?? (isNeeded ? (found('people') ?? objects[0]) : undefined)
}

function inputParts(operation: ApiOperation, schemas: ReturnType<typeof schemasWith>): SchemaPart[] {
  const parameters = inputParameters(operation).map(({ name, schema, description, required }) => ({
    name,
    schema: { ...schema, ...(description && { description }) },
    isRequired: required,
  }))
  return [...parameters, ...partsOf(bodyOf(operation)?.schema ?? {}, schemas)]
}

type TreeProps = Parameters<typeof SchemaTree>[0] & { none: string }

const Tree = ({ none, ...tree }: TreeProps) =>
  tree.parts.length ? <SchemaTree {...tree} /> : <p className={css.note}>{none}</p>
