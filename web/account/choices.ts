import { useMantineColorScheme } from '@mantine/core'
import { useEffect } from 'react'
import { useChoose, useSignedIn, useUpdateMe } from '../client/session.ts'
import { complain } from '../ui/basics/notices.tsx'
import { schemeOf, type Theme, themeOf } from '../ui/theme/theme.ts'

/** The theme in use, and a way to change it: here at once, and on the server for other devices. */
export function useThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const update = useUpdateMe()
  const choose = (theme: Theme) => {
    setColorScheme(schemeOf(theme))
    update.mutate({ theme }, { onError: (error) => complain('The theme is saved on this device only', error) })
  }
  return { theme: themeOf(colorScheme), choose }
}

/** What was chosen on another device wins when the app opens. */
export function useServerTheme(theme: Theme) {
  const { setColorScheme } = useMantineColorScheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change on the server counts, not a local one
  useEffect(() => setColorScheme(schemeOf(theme)), [theme])
}

export const themeChoices: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Whether single keys do something, and a way to change that: here at once, and for the account. */
export function useShortcutsOn() {
  const { me } = useSignedIn()
  const choose = useChoose()
  const set = (shortcuts: boolean) =>
    choose({ shortcuts }, (error) => complain('Your shortcut setting was not saved', error))
  return [me.shortcuts, set] as const
}
