import { SegmentedControl } from '@mantine/core'
import type { ValueProps } from './value-editor.tsx'

export const BooleanValue = ({ field, values, onChange }: ValueProps) => (
  <SegmentedControl
    fullWidth
    aria-label={field.label}
    data={[
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]}
    value={String(values[0] ?? true)}
    onChange={(value) => onChange([value === 'true'])}
  />
)
