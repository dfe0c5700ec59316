import { isPartial } from '../../../../contract/filter/fields.ts'
import type { FilterField, Op, Value } from '../../../../contract/filter/index.ts'
import { operators } from '../../../../contract/filter/index.ts'
import { isMoment } from '../operator-words.ts'
import { BooleanValue } from './boolean-value.tsx'
import { CountryValues } from './country-values.tsx'
import { MomentPair, MomentRanges, MomentValue } from './moment-values.tsx'
import { NumberValues } from './number-values.tsx'
import { OptionValues } from './option-values.tsx'
import { RecordValues } from './record-values.tsx'
import { TextValue, TextValues } from './text-values.tsx'
import { UserValues } from './user-values.tsx'

export type ValueProps = {
  field: FilterField
  op: Op
  values: Value[]
  /** What holds from now on; never called with what the field does not take. */
  onChange: (values: Value[]) => void
  /** Enter: this was the last of it. */
  onDone: () => void
}

/** Edits what follows an operator, by the type of the field. */
export function ValueEditor(props: ValueProps) {
  const { field, op } = props
  const { operands } = operators[op]
  if (operands === 'none') return null
  if (isMoment(field)) {
    if (operands === 'list') return <MomentRanges {...props} />
    return operands === 'pair' ? <MomentPair {...props} /> : <MomentValue {...props} />
  }
  switch (field.type) {
    case 'boolean':
      return <BooleanValue {...props} />
    case 'select':
    case 'multi_select':
      return <OptionValues {...props} />
    case 'country':
      return isPartial(op) ? <TextValue {...props} /> : <CountryValues {...props} />
    case 'user':
      return <UserValues {...props} />
    case 'relation':
      return <RecordValues {...props} />
    case 'number':
    case 'money':
      return <NumberValues {...props} />
    default:
      return operands === 'list' ? <TextValues {...props} /> : <TextValue {...props} />
  }
}
