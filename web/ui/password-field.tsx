import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

/** Mantine hides its show button from the keyboard and from screen readers; here everyone can use it. */
export function PasswordField(props: PasswordInputProps) {
  const [visible, { toggle }] = useDisclosure()
  return (
    <PasswordInput
      label="Password"
      visible={visible}
      onVisibilityChange={toggle}
      visibilityToggleButtonProps={{
        tabIndex: 0,
        'aria-hidden': false,
        'aria-label': visible ? 'Hide the characters' : 'Show the characters',
      }}
      {...props}
    />
  )
}
