// Moves a deal to a stage, wherever that is done: on its page, on a board, in a list.
import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { ApiError } from '../../client/api.ts'
import { recent } from '../../client/recent.ts'
import { fieldErrors } from '../../ui/basics/errors.ts'
import { complain } from '../../ui/basics/notices.tsx'
import { Dialog, DialogActions } from '../../ui/form/dialog.tsx'
import { builtInField } from '../data/built-in.ts'
import { isDeals, stageCalled, usePipelines } from '../data/pipelines.ts'
import type { RecordShape } from '../data/records-api.ts'
import { type FieldShape, type ObjectShape, useSchema } from '../data/schema.ts'
import { useUpdateRecord, type Values } from '../data/update-record.ts'
import { isEmpty } from '../data/value-text.ts'
import css from './move-stage.module.css'
import { NewRecordFields } from './new-record.tsx'

/** What a stage asks for before the deal can enter it. `done`: whether it did in the end. */
type Asked = {
  record: RecordShape
  stage: string
  keys: string[]
  values: Values
  done: (isMoved: boolean | Promise<boolean>) => void
}

/**
 * `move` shows the deal in its new stage at once, and tells whether it got there. If the stage asks for something, `dialog`
 * asks for it and then moves the deal. Draw `dialog` somewhere on the page.
 */
export function useMoveStage(): {
  move: (record: RecordShape, stageKey: string) => Promise<boolean>
  /** Does the stage ask for something that the deal does not have? */
  needs: (record: RecordShape, stageKey: string) => boolean
  dialog: ReactNode
} {
  const deals = useSchema().find(isDeals)
  const pipelines = usePipelines()
  // Several deals can be on their way at once; what they need is asked one after the other.
  const [[asked], setAsked] = useState<Asked[]>([])
  const stageField = deals && builtInField(deals, 'stage')
  const reasonField = deals && builtInField(deals, 'lost_reason')
  const nameOf = (key: string) => stageCalled(pipelines, key)?.name ?? key
  const titles = useRef(recent<string>(100))
  const { mutateAsync } = useUpdateRecord(deals?.key ?? '', {
    said: ({ id, values }) =>
      `${titles.current.get(id) ?? 'The deal'} moved to ${nameOf(String(values[stageField?.key ?? '']))}.`,
    isAnnounced: true,
    // Reported below, where it is known which move it is about.
    onRefused: () => {},
  })

  const ask = (question: Omit<Asked, 'done'>) => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    setAsked((now) => [...now, { ...question, done: resolve }])
    return promise
  }
  const answer = (isMoved: boolean | Promise<boolean>) => {
    setAsked((now) => now.slice(1))
    asked?.done(isMoved)
  }

  const send = async (record: RecordShape, stage: string, values: Values): Promise<boolean> => {
    titles.current.set(record.id, String(record.title ?? 'The deal'))
    try {
      // null: someone else moved it, and that was kept.
      return (await mutateAsync({ id: record.id, values: { ...values, [stageField!.key]: stage } })) !== null
    } catch (error) {
      const keys = missingIn(error).filter((key) => deals?.byKey.has(key) && key !== stageField?.key)
      if (keys.length) return ask({ record, stage, keys, values: { ...valuesOf(record, keys), ...values } })
      complain('The deal was not moved', error)
      return false
    }
  }

  const move = async (record: RecordShape, stage: string) => {
    if (!stageField || record[stageField.key] === stage) return false
    const { kind, pipeline } = stageCalled(pipelines, stage) ?? {}
    const key = kind === 'lost' && pipeline?.asks_lost_reason ? reasonField?.key : undefined
    if (key && isEmpty(record[key])) return ask({ record, stage, keys: [key], values: {} })
    return send(record, stage, {})
  }

  const dialog = asked && deals && (
    <MoveDialog
      key={`${asked.record.id} ${asked.stage}`}
      object={deals}
      asked={asked}
      stageName={nameOf(asked.stage)}
      onClose={() => answer(false)}
      onMove={(values) => answer(send(asked.record, asked.stage, values))}
    />
  )
  const needs = (record: RecordShape, key: string) => {
    const stage = stageCalled(pipelines, key)
    const asksReason = stage?.kind === 'lost' && stage.pipeline.asks_lost_reason && reasonField
    const wanted = [...(stage?.required_fields ?? []), ...(asksReason ? [reasonField.key] : [])]
    return wanted.some((one) => isEmpty(record[one]))
  }
  return { move, needs, dialog }
}

const valuesOf = (record: RecordShape, keys: string[]) => Object.fromEntries(keys.map((key) => [key, record[key]]))

/** "an amount and a contact" */
const listed = (fields: FieldShape[]) =>
  new Intl.ListFormat('en').format(
    fields.map(({ label }) => {
      const noun = inSentence(label)
      return /s$/.test(noun) ? noun : `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
    }),
  )

/** The fields that the server asks for. */
function missingIn(error: unknown) {
  if (!(error instanceof ApiError) || error.problem.status !== 422) return []
  return Object.keys(fieldErrors(error)).map((path) => path.replace(/^records\.0\./, ''))
}

type Props = {
  object: ObjectShape
  asked: Asked
  stageName: string
  onMove: (values: Values) => void
  onClose: () => void
}

function MoveDialog({ object, asked, stageName, onMove, onClose }: Props) {
  const [values, setValues] = useState(asked.values)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const fields = asked.keys
    .flatMap((key) => object.byKey.get(key) ?? [])
    .map((field) => ({ ...field, is_required: true }))
  // Only a loss asks for its reason.
  const isLoss = fields.some((field) => (field.built_in_key ?? field.key) === 'lost_reason')
  const submit = () => {
    const missing = fields.filter(({ key }) => isEmpty(values[key]))
    setErrors(Object.fromEntries(missing.map(({ key }) => [key, 'Enter a value'])))
    if (!missing.length) onMove(values)
  }
  return (
    <Dialog title={`Move to ${stageName}`} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          submit()
        }}
      >
        <p className={css.about}>
          Add {listed(fields)} to {isLoss ? 'close this deal' : <>move this deal to {stageName}</>}.
        </p>
        <NewRecordFields
          object={object}
          fields={fields}
          values={values}
          errors={errors}
          isNarrow
          onChange={(key, value) => setValues((now) => ({ ...now, [key]: value }))}
        />
        <DialogActions>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit">Move deal</Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
