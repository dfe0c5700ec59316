import { SegmentedControl } from '@mantine/core'
import type { ObjectRights, Reach } from '../../../../contract/shared/access.ts'
import css from './right-choice.module.css'

type Value = ObjectRights[keyof ObjectRights]
type Props = { label: string; value: Value; onChange: (value: Value) => void }

const reachChoices = [
  { value: 'all', label: 'All' },
  { value: 'own', label: 'Own' },
  { value: 'none', label: 'None' },
]
const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
const tones: Record<string, string> = { all: 'full', yes: 'full', own: 'part', none: 'no', no: 'no' }

/** One right on one object. */
export function RightChoice({ label, value, onChange }: Props) {
  const choices = typeof value === 'boolean' ? yesOrNo : reachChoices
  const chosen = typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
  return (
    <span className={css.choice} data-tone={tones[chosen]}>
      <SegmentedControl
        size="xs"
        aria-label={label}
        data={choices}
        value={chosen}
        onChange={(next) => onChange(typeof value === 'boolean' ? next === 'yes' : (next as Reach))}
        classNames={{ root: css.control, indicator: css.indicator, label: css.label }}
      />
    </span>
  )
}
