import type { FieldOption } from '../../contract/objects.ts'
import css from './option-colors.module.css'

const byKind = { open: 'blue', won: 'green', lost: 'gray' } as const

/** A choice of a select, in its colour. A key whose option is gone shows as it is. */
export function OptionBadge({ option, value }: { option: FieldOption | undefined; value: string }) {
  const color = option?.color ?? (option?.kind && byKind[option.kind]) ?? 'gray'
  return (
    <span className={css.option} data-color={color}>
      <span>{option?.label ?? value}</span>
    </span>
  )
}
