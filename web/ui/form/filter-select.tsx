import { Select, type SelectProps } from '@mantine/core'

type Passed = 'label' | 'aria-label' | 'data' | 'onChange' | 'searchable' | 'nothingFoundMessage' | 'className'
type Props = Pick<SelectProps, Passed> & {
  /** What is shown while nothing is chosen. */
  placeholder: string
  value: string | null | undefined
}

/** Narrows a list. */
export const FilterSelect = ({ value = null, ...props }: Props) => (
  <Select clearable clearButtonProps={{ 'aria-label': props.placeholder }} value={value} {...props} />
)
