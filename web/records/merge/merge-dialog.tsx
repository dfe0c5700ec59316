import { Button, Switch, Tooltip } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CopyX, Merge as MergeIcon, Plus } from 'lucide-react'
import { useState } from 'react'
import { mostMerged } from '../../../contract/records.ts'
import { inSentence } from '../../../contract/shared/in-sentence.ts'
import { Loaded } from '../../ui/basics/loaded.tsx'
import { Dialog, DialogActions } from '../../ui/form/dialog.tsx'
import { PickList } from '../../ui/form/picker.tsx'
import { isCompared } from '../data/compared.ts'
import { duplicatesQuery, reasonsOf, useMarkDifferent } from '../data/duplicates.ts'
import { useFoundRecords } from '../data/find-records.ts'
import type { ToMerge } from '../data/open-merge.ts'
import type { RecordShape } from '../data/records-api.ts'
import { type ObjectShape, useObject } from '../data/schema.ts'
import { counted } from '../data/value-text.ts'
import { RecordFace } from '../fields/record-face.tsx'
import { mergeOf, undecided } from './choice.ts'
import { Comparison } from './comparison.tsx'
import css from './merge-dialog.module.css'
import { useLinking } from './rows.tsx'
import { comparedQuery, useMerge, useMergeRefusal } from './use-merge.ts'

type Props = { asked: ToMerge; onClose: () => void }

/** Merges chosen records; of a single one, it asks with which. */
export default function MergeDialog({ asked, onClose }: Props) {
  const object = useObject(asked.object)
  const [ids, setIds] = useState(asked.ids)
  const [isAdding, setAdding] = useState(asked.ids.length < 2)
  const linking = useLinking(object)
  const query = useQuery(
    comparedQuery(
      asked.object,
      ids,
      linking.map(({ key }) => key),
    ),
  )
  if (!object) return null
  const [first] = query.data ?? []
  const close = () => (isAdding && ids.length > 1 ? setAdding(false) : onClose())
  return (
    <Dialog
      title={titleOf(object, ids, isAdding, first)}
      size={isAdding ? 520 : 200 + ids.length * 280}
      tall
      onClose={close}
    >
      {isAdding ? (
        <AddRecord
          object={object}
          ids={ids}
          onAdd={(id) => {
            setIds([...ids, id])
            setAdding(false)
          }}
        />
      ) : (
        <Loaded query={query} what="records" height={320}>
          {(records) => (
            <MergeForm
              object={object}
              records={records}
              asked={asked}
              onAdd={ids.length < mostMerged ? () => setAdding(true) : undefined}
              onClose={onClose}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  )
}

function titleOf(object: ObjectShape, ids: string[], isAdding: boolean, first: RecordShape | undefined) {
  if (!isAdding) return `Merge ${counted(ids.length, object)}`
  if (ids.length > 1) return `Add another ${inSentence(object.label)}`
  return first ? `Merge ${String(first.title)} with…` : 'Merge with…'
}

type AddProps = { object: ObjectShape; ids: string[]; onAdd: (id: string) => void }

/** Its likely duplicates first, then any other record by its title. */
function AddRecord({ object, ids, onAdd }: AddProps) {
  const [search, setSearch] = useState('')
  const { data: duplicates = [] } = useQuery({ ...duplicatesQuery(object.key, ids[0]!), enabled: isCompared(object) })
  const { found = [] } = useFoundRecords([object.key], search.trim())
  const isNamed = ({ title }: { title: string }) => title.toLowerCase().includes(search.trim().toLowerCase())
  const isNew = ({ id }: { id: string }) => !ids.includes(id)
  const likely = duplicates.filter(isNew).filter(isNamed)
  const others = found.filter(isNew).filter(({ id }) => !likely.some((one) => one.id === id))
  const pick = ({ id, title }: { id: string; title: string }) => ({
    value: id,
    label: title,
    icon: <RecordFace object={object.key} title={title} size={20} id={id} />,
  })
  return (
    <PickList
      label={`${object.label} to merge`}
      placeholder={`Search ${inSentence(object.label_plural)}`}
      items={[
        ...likely.map((one) => ({ ...pick(one), detail: reasonsOf(one), group: 'Possible duplicates' })),
        ...others.map((one) => ({ ...pick(one), group: likely.length ? 'Others' : undefined })),
      ]}
      onPick={onAdd}
      search={search}
      onSearch={setSearch}
    />
  )
}

type FormProps = {
  object: ObjectShape
  records: RecordShape[]
  asked: ToMerge
  onAdd: (() => void) | undefined
  onClose: () => void
}

function MergeForm({ object, records: given, asked, onAdd, onClose }: FormProps) {
  const [choice, setChoice] = useState(undecided)
  const [isWhole, setWhole] = useState(false)
  const { data: duplicates = [] } = useQuery({
    ...duplicatesQuery(object.key, asked.ids[0]!),
    enabled: isCompared(object),
  })
  const records = given.toSorted((a, b) => createdAt(a) - createdAt(b) || (a.id < b.id ? -1 : 1))
  const merge = mergeOf(object, records, choice)
  const refusal = useMergeRefusal(object)(merge)
  const done = () => {
    asked.onDone?.()
    onClose()
  }
  const merging = useMerge(object, { onDone: done })
  const marking = useMarkDifferent(object.key, () => {
    done()
    return () => {}
  })
  const isReady = !refusal && merge.others.length > 0
  const [first = '', ...others] = asked.ids
  return (
    <>
      <p className={css.about}>
        One record is kept, with the marked values and everything that links to the others, which move to the trash. You
        can undo it.
      </p>
      <div className={css.records}>
        <Comparison
          object={object}
          records={records}
          choice={choice}
          onChange={setChoice}
          isWhole={isWhole}
          about={(id) => {
            const duplicate = duplicates.find((one) => one.id === id)
            return duplicate && <span className={css.why}>{reasonsOf(duplicate)}</span>
          }}
        />
      </div>
      <DialogActions>
        <Switch
          size="xs"
          className={css.whole ?? ''}
          label="All fields"
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
        />
        {onAdd && (
          <Button variant="subtle" color="gray" leftSection={<Plus size={15} />} onClick={onAdd}>
            Add another
          </Button>
        )}
        {asked.areFound ? (
          <Button
            variant="default"
            leftSection={<CopyX size={15} />}
            onClick={() =>
              marking.mutate({
                pairs: [[first, others]],
                said: `${counted(others.length + 1, object)} marked as different.`,
              })
            }
          >
            Not duplicates
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        )}
        <Tooltip label={refusal} disabled={!refusal}>
          <Button
            data-autofocus
            leftSection={<MergeIcon size={15} />}
            loading={merging.isPending}
            {...(!isReady && { 'data-disabled': true, 'aria-disabled': true })}
            onClick={() => isReady && merging.mutate(merge)}
          >
            Merge {counted(merge.others.length + 1, object)}
          </Button>
        </Tooltip>
      </DialogActions>
    </>
  )
}

const createdAt = ({ created_at }: RecordShape) => Date.parse(String(created_at))
