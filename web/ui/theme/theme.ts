import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorScheme,
  type MantineColorsTuple,
} from '@mantine/core'
import type { FocusEvent } from 'react'

const pine: MantineColorsTuple = [
  '#eef8f3',
  '#d8efe4',
  '#b2dfca',
  '#86cbac',
  '#5bb890',
  '#339c72',
  '#1f845e',
  '#176b4c',
  '#12573e',
  '#0c4330',
]
const gray: MantineColorsTuple = [
  '#fafaf8',
  '#f5f5f2',
  '#ecece8',
  '#e2e2dd',
  '#d2d2cc',
  '#a5a59e',
  '#63635d',
  '#4b4b46',
  '#32322e',
  '#1b1b19',
]
const dark: MantineColorsTuple = [
  '#ececea',
  '#c9c9c5',
  '#a5a5a0',
  '#8f8f89',
  '#343532',
  '#2a2b28',
  '#1d1e1c',
  '#151614',
  '#101110',
  '#0b0c0b',
]

const fontFamily = "'Inter Variable', ui-sans-serif, system-ui, -apple-system, 'Segoe UI', sans-serif"

/** What is typed into a select replaces the option that it shows. */
const selectText = ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
  if (!currentTarget.readOnly) currentTarget.select()
}

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, gray, dark },
  black: gray[9],
  autoContrast: true,
  luminanceThreshold: 0.35,
  fontFamily,
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontFamily, fontWeight: 'var(--weight-strong)' },
  // The scales are in tokens.css.
  fontSizes: {
    xs: 'var(--text-xs)',
    sm: 'var(--text-sm)',
    md: 'var(--text-md)',
    lg: 'var(--text-lg)',
    xl: 'var(--text-xl)',
  },
  defaultRadius: 'md',
  radius: {
    xs: 'var(--radius-sm)',
    sm: 'var(--radius-sm)',
    md: 'var(--radius-md)',
    lg: 'var(--radius-lg)',
    xl: 'var(--radius-lg)',
  },
  respectReducedMotion: true,
  cursorType: 'pointer',
  focusRing: 'auto',
  // Plain objects on purpose: `Menu.extend` would pull every component into the first page.
  components: {
    Button: { defaultProps: { size: 'sm' } },
    // Enter takes the option that was found, instead of submitting the form around it. What may be empty is clearable.
    Select: { defaultProps: { selectFirstOptionOnChange: true, allowDeselect: false, onFocus: selectText } },
    // For those who use the keyboard too.
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: false } } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 100 } } },
    Modal: { defaultProps: { centered: true, transitionProps: { duration: 120, transition: 'fade' } } },
    Drawer: { defaultProps: { transitionProps: { duration: 160 } } },
  },
})

// Mantine's own greys for hints and placeholders, and its red, stay below 4.5:1 on our surfaces.
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-placeholder': '#71716a',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': '#b42318',
    '--mantine-color-default-border': 'var(--mantine-color-gray-4)',
    '--mantine-color-default-hover': 'var(--mantine-color-gray-1)',
  },
  dark: {
    '--mantine-color-placeholder': 'var(--mantine-color-dark-3)',
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': '#ff8f85',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
  },
})

// public/theme.js reads the same key before the first paint.
export const colorSchemes = localStorageColorSchemeManager({ key: 'kith-theme' })

export type Theme = 'system' | 'light' | 'dark'

export const schemeOf = (theme: Theme): MantineColorScheme => (theme === 'system' ? 'auto' : theme)
export const themeOf = (scheme: MantineColorScheme): Theme => (scheme === 'auto' ? 'system' : scheme)
