import { Button, NativeSelect, PasswordInput, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Play } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type ApiOperation,
  bodyOf,
  inputParameters,
  isUpload,
  type Parameter,
} from '../../../contract/document/api-document.ts'
import type { ApiCall } from '../../../contract/document/snippets.ts'
import { pages } from '../../../contract/shared/pages.ts'
import { useSignedIn } from '../../client/session.ts'
import { Part } from '../../ui/basics/layout.tsx'
import { Confirm } from '../../ui/form/dialog.tsx'
import { CodeBlock, CopyCode } from '../../ui/text/code.tsx'
import { asNumber } from '../../ui/text/numbers.ts'
import type { Suggestion } from './input.ts'
import { idempotencyHeader, type Outcome, sendCall } from './send-call.ts'
import css from './try-it.module.css'

type Props = {
  operation: ApiOperation
  call: ApiCall
  parameters: Record<string, string>
  body: string
  error: string | undefined
  suggested: string | undefined
  suggestions: Suggestion[]
  apiKey: string
  onKey: (key: string) => void
  onParameter: (name: string, value: string) => void
  onBody: (body: string) => void
}

type Way = 'session' | 'key'

export function TryIt({ operation, call, error, apiKey, onKey, ...typed }: Props) {
  const { me } = useSignedIn()
  const [way, setWay] = useState<Way>('session')
  const [file, setFile] = useState<File>()
  const [idempotencyKey, setIdempotencyKey] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | 'unreachable'>()
  const isReal = operation['x-effect'] !== 'read' && (call.body as { dry_run?: boolean } | undefined)?.dry_run !== true
  const isReady = !error && (way === 'session' || apiKey.trim()) && (!isUpload(operation) || file)
  const send = async () => {
    setBusy(true)
    const key = way === 'key' ? apiKey : undefined
    setOutcome((await sendCall(call, { key, idempotencyKey, file })) ?? 'unreachable')
    setBusy(false)
  }
  return (
    <Part title="Try it">
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReal && operation['x-effect'] === 'destroy') setAsking(true)
          else void send()
        }}
      >
        <Fields operation={operation} error={error} {...typed} />
        {isUpload(operation) && (
          <label className={css.file}>
            File
            <input type="file" onChange={(event) => setFile(event.currentTarget.files?.[0])} />
          </label>
        )}
        {operation.parameters.some(({ name }) => name === idempotencyHeader) && (
          <TextInput
            label={idempotencyHeader}
            description="Optional. A repeated request with the same key takes effect once and returns the same response."
            autoComplete="off"
            maxLength={255}
            value={idempotencyKey}
            onChange={(event) => setIdempotencyKey(event.currentTarget.value)}
          />
        )}
        {call.needsKey && (
          <SegmentedControl
            aria-label="Send as"
            data={[
              { value: 'session', label: `As ${me.name}` },
              { value: 'key', label: 'With an API key' },
            ]}
            value={way}
            onChange={(value) => setWay(value as Way)}
          />
        )}
        {way === 'key' && call.needsKey && (
          <PasswordInput
            label="API key"
            description="Used only for calls from this page and forgotten when you leave it."
            autoComplete="off"
            data-1p-ignore
            spellCheck={false}
            value={apiKey}
            onChange={(event) => onKey(event.currentTarget.value)}
          />
        )}
        <div className={css.send}>
          <Button type="submit" loading={isBusy} disabled={!isReady} leftSection={<Play size={14} />}>
            Send request
          </Button>
          <span>{noteOf(operation, isReal)}</span>
        </div>
      </form>
      <div role="status" aria-live="polite">
        {outcome && <Answer outcome={outcome} />}
      </div>
      {isAsking && (
        <Confirm
          title={`${operation.summary}?`}
          action="Send request"
          act={send}
          onDone={() => {}}
          onClose={() => setAsking(false)}
        >
          <p>This is a real request to your company's data.</p>
        </Confirm>
      )}
    </Part>
  )
}

function noteOf(operation: ApiOperation, isReal: boolean) {
  if (operation['x-effect'] === 'read') return 'Reads only.'
  return isReal ? "Changes your company's data." : 'A preview: with dry_run, nothing is changed.'
}

type FieldsProps = Omit<Props, 'call' | 'apiKey' | 'onKey'>

function Fields({ operation, parameters, body, error, suggested, suggestions, onParameter, onBody }: FieldsProps) {
  const fields = inputParameters(operation).filter(({ name }) => name !== 'object')
  return (
    <>
      {fields.length > 0 && (
        <div className={css.fields}>
          {fields.map((one) => (
            <ParameterField
              key={one.name}
              of={one}
              value={parameters[one.name] ?? ''}
              suggestions={one.name === suggested ? suggestions : []}
              onChange={(value) => onParameter(one.name, value)}
            />
          ))}
        </div>
      )}
      {bodyOf(operation) && (
        <Textarea
          label="Body"
          classNames={{ input: css.body }}
          rows={Math.min(16, body.split('\n').length + 1)}
          spellCheck={false}
          autoCapitalize="off"
          value={body}
          error={error}
          onChange={(event) => onBody(event.currentTarget.value)}
        />
      )}
    </>
  )
}

type ParameterProps = { of: Parameter; value: string; suggestions: Suggestion[]; onChange: (value: string) => void }

function ParameterField({ of: { name, required, schema }, value, suggestions, onChange }: ParameterProps) {
  const list = useId()
  const choices = schema.enum?.map(String) ?? (schema.type === 'boolean' ? ['true', 'false'] : undefined)
  const common = { label: name, required, withAsterisk: required, size: 'sm' as const }
  if (choices)
    return (
      <NativeSelect
        {...common}
        data={required ? choices : ['', ...choices]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <>
      <TextInput
        {...common}
        list={suggestions.length ? list : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {suggestions.length > 0 && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

function Answer({ outcome }: { outcome: Outcome | 'unreachable' }) {
  const { may } = useSignedIn()
  if (outcome === 'unreachable')
    return <p className={css.failed}>The server cannot be reached. Check your connection and try again.</p>
  const { status, ms, requestId, type, text, bytes } = outcome
  return (
    <section className={css.answer} aria-label="Result">
      <p className={css.facts}>
        <strong data-tone={status < 400 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{status}</strong>
        <span>{asNumber(Math.round(ms))} ms</span>
        <span>{asNumber(bytes)} bytes</span>
        <span className={css.id}>
          Request <CopyCode value={requestId} what="request ID" />
          {may('requests.read') && (
            <Link to={pages.requestInspector} search={{ request_id: requestId }}>
              Inspect
            </Link>
          )}
        </span>
      </p>
      {text ? <CodeBlock code={text} what="answer" caption={type} /> : <p>A file of the type {type}.</p>}
    </section>
  )
}
