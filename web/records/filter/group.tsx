import { Tooltip } from '@mantine/core'
import { Ban, GitBranch, TextCursorInput, Trash2 } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { everything, explain, type Filter, namedIn, print, type Scope } from '../../../contract/filter/index.ts'
import { isId } from '../../../contract/shared/ids.ts'
import { RowMenu } from '../../ui/page/rows.tsx'
import { AddCondition } from './add-condition.tsx'
import { TextChip } from './chip.tsx'
import { ConditionChip, type FilterChipsProps } from './condition-chip.tsx'
import bar from './filter-bar.module.css'
import css from './group.module.css'
import {
  type Asking,
  allOf,
  askingOf,
  beginning,
  type Group,
  grouped,
  groupOf,
  type Joiner,
  negated,
  other,
  type Part,
  read,
} from './tree.ts'

type Shared = { scope: Scope; onText: () => void }
type ChipsProps = Shared & {
  group: Group
  onChange: (joiner: Joiner, filters: Filter[]) => void
  addLabel: string
  /** Those that stand elsewhere already, as text. */
  hidden?: Set<string>
  startsAdding?: boolean
  onNothingAdded?: () => void
}

/** The parts of a group, with the word between them and a way to add one. */
export function Chips({ group, onChange, addLabel, hidden, startsAdding, onNothingAdded, ...shared }: ChipsProps) {
  const { joiner, parts } = group
  const [asked, setAdding] = useState<Asking & { at: number }>()
  // Once it is in the filter, the filter draws it.
  if (asked && asked.at !== parts.length) setAdding(undefined)
  const adding = asked?.at === parts.length ? asked : undefined
  const box = useRef<HTMLSpanElement>(null)
  const filters = parts.map(({ filter }) => filter)
  const change = (i: number, filter: Filter | undefined) => {
    setAdding(undefined)
    onChange(joiner, filter ? filters.with(i, filter) : filters.toSpliced(i, 1))
    // What had the focus is gone, and perhaps the group with it.
    const whole = box.current?.closest('[data-chips]')
    if (!filter) requestAnimationFrame(() => lastAdd(box.current ?? whole)?.focus())
  }
  const add = (filter: Filter | undefined) => {
    if (filter) return onChange(joiner, [...filters, filter])
    setAdding(undefined)
    onNothingAdded?.()
  }
  // A condition that comes in keeps its place in this list, and with it its open form.
  const shown = [
    ...parts.map((part) => ({ part })),
    ...(adding ? [{ adding: { subject: adding.subject, draft: adding.draft } }] : []),
  ]
  const isHidden = (one: (typeof shown)[number]) => 'part' in one && hidden?.has(print(one.part.filter))
  const firstShown = shown.findIndex((one) => !isHidden(one))
  return (
    <span ref={box} className={css.chips}>
      {shown.map(
        (one, i) =>
          isHidden(one) || (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the group
            <Fragment key={i}>
              {i > firstShown && <JoinerButton joiner={joiner} onToggle={() => onChange(other(joiner), filters)} />}
              <PartChip
                {...shared}
                {...one}
                joiner={joiner}
                onChange={(filter) => ('part' in one ? change(i, filter) : add(filter))}
              />
            </Fragment>
          ),
      )}
      {!adding && (
        <AddCondition
          scope={shared.scope}
          label={addLabel}
          startsOpen={startsAdding}
          onPick={(subject) => setAdding({ ...beginning(subject), at: parts.length })}
          onSearch={(text) => add({ search: text })}
          onLeft={onNothingAdded}
        />
      )}
    </span>
  )
}

const lastAdd = (whole: Element | null | undefined) =>
  [...(whole?.querySelectorAll<HTMLElement>('[data-add]') ?? [])].at(-1)

const joinerWords = { and: 'All conditions must match. Switch to or', or: 'Any condition may match. Switch to and' }

const JoinerButton = ({ joiner, onToggle }: { joiner: Joiner; onToggle: () => void }) => (
  <Tooltip label={joinerWords[joiner]}>
    <button type="button" className={css.joiner} onClick={onToggle}>
      {joiner}
    </button>
  </Tooltip>
)

type PartProps = Shared & {
  part?: Part
  adding?: Asking
  joiner: Joiner
  onChange: (filter: Filter | undefined) => void
}

function PartChip({ part, adding, joiner, onChange, ...shared }: PartProps) {
  const [isGrowing, setGrowing] = useState(false)
  const isNot = part !== undefined && negated(part) !== undefined
  const inner = part && (negated(part) ?? part)
  const turned = (filter: Filter | undefined) => filter && (isNot ? { not: filter } : filter)
  const turnAround = () => inner && onChange(isNot ? inner.filter : { not: inner.filter })
  const group = inner && (groupOf(inner) ?? (isGrowing ? { joiner: other(joiner), parts: [inner] } : undefined))
  if (group)
    return (
      <GroupBox isNot={isNot} onTurn={turnAround} onRemove={() => onChange(undefined)}>
        <Chips
          {...shared}
          group={group}
          addLabel="Add"
          startsAdding={isGrowing}
          onNothingAdded={() => setGrowing(false)}
          onChange={(next, filters) => {
            setGrowing(false)
            onChange(turned(filters.length ? grouped(next, filters) : undefined))
          }}
        />
      </GroupBox>
    )
  const asking = adding ?? (inner && askingOf(inner.filter, inner.checked))
  if (!asking)
    return (
      <TextChip
        text={print(inner!.filter)}
        words={isNamed(inner!) ? explain(inner!.checked).slice(0, -1) : undefined}
        isNot={isNot}
        onOpen={shared.onText}
        onRemove={() => onChange(undefined)}
      />
    )
  const actions = [
    { label: isNot ? 'Include matches' : 'Exclude matches', icon: Ban, run: turnAround },
    { label: joiner === 'and' ? 'Or…' : 'And…', icon: GitBranch, run: () => setGrowing(true) },
    { label: 'As text', icon: TextCursorInput, run: shared.onText },
  ]
  return (
    <ConditionChip
      {...asking}
      isNot={isNot}
      isNew={part === undefined}
      actions={actions}
      onChange={(filter) => onChange(turned(filter))}
    />
  )
}

type BoxProps = { isNot: boolean; onTurn: () => void; onRemove: () => void; children: React.ReactNode }

const GroupBox = ({ isNot, onTurn, onRemove, children }: BoxProps) => (
  <fieldset className={css.group} aria-label={isNot ? 'Excluded group' : 'Group'}>
    {isNot && <span className={css.not}>not</span>}
    {children}
    <RowMenu
      of="group"
      actions={[
        { label: isNot ? 'Include matches' : 'Exclude matches', icon: Ban, open: onTurn },
        { label: 'Remove group', icon: Trash2, open: onRemove },
      ]}
    />
  </fieldset>
)

const isNamed = ({ filter, checked }: Part) => !namedIn(checked).some(({ text }) => isId(text)) && print(filter) !== ''

export function FilterChips({ scope, filter, quick = [], onChange, onText }: FilterChipsProps) {
  const group = allOf(filter)
  const filters = group.parts.map((part) => part.filter).filter((one) => print(one) !== '')
  const change = (joiner: Joiner, next: Filter[]) => onChange(print(next.length ? grouped(joiner, next) : everything))
  return (
    <div className={bar.chips} data-chips>
      {quick.map(({ label, filter: text }) => {
        const at = filters.findIndex((one) => print(one) === text)
        const add = () => change('and', [...filters, ...partsOf(text, scope)])
        return (
          <button
            key={label}
            type="button"
            className={css.quick}
            aria-pressed={at >= 0}
            onClick={() => (at < 0 ? add() : change('and', filters.toSpliced(at, 1)))}
          >
            {label}
          </button>
        )
      })}
      <Chips
        scope={scope}
        group={group}
        hidden={new Set(quick.map(({ filter: text }) => text))}
        addLabel="Filter"
        onText={onText}
        onChange={change}
      />
    </div>
  )
}

const partsOf = (text: string, scope: Scope) => allOf(read(text, scope).filter!).parts.map(({ filter }) => filter)
