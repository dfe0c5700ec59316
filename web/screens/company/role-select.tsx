import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { roleInWords } from './roles/role-words.ts'
import { rolesQuery } from './roles.ts'

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange' | 'description'> & {
  value: string
  onChange: (name: string) => void
}

/** A role by name, and in a line what it allows. */
export function RoleSelect({ value, onChange, ...rest }: Props) {
  const { data = [] } = useQuery(rolesQuery)
  const chosen = data.find(({ name }) => name === value)
  const names = data.map(({ name }) => name)
  return (
    <Select
      label="Role"
      description={chosen && roleInWords(chosen)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      allowDeselect={false}
      data={names.includes(value) ? names : [value, ...names]}
      value={value}
      onChange={(name) => name && onChange(name)}
      {...rest}
    />
  )
}
