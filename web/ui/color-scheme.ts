import { localStorageColorSchemeManager, type MantineColorScheme } from '@mantine/core'

// public/theme.js reads the same key before the first paint.
export const colorSchemes = localStorageColorSchemeManager({ key: 'kith-theme' })

export type Theme = 'system' | 'light' | 'dark'

export const schemeOf = (theme: Theme): MantineColorScheme => (theme === 'system' ? 'auto' : theme)
export const themeOf = (scheme: MantineColorScheme): Theme => (scheme === 'auto' ? 'system' : scheme)
