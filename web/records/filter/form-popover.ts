import type { PopoverProps } from '@mantine/core'

/** The form of a condition, below what opens it. */
export const formPopover = {
  trapFocus: true,
  // Without a transition, the form is focused before the next key, which could be a shortcut.
  transitionProps: { duration: 0 },
  shadow: 'md',
  width: 288,
  position: 'bottom-start',
} satisfies Partial<PopoverProps>
