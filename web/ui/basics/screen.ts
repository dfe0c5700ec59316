import { useMediaQuery } from '@mantine/hooks'

const widths = { phone: '47.99em', tablet: '61.99em', laptop: '74.99em' }
export type Screen = keyof typeof widths

/** Is the screen at most as wide as this one? CSS asks the same with these widths. */
export const useIsUpTo = (screen: Screen) =>
  useMediaQuery(`(max-width: ${widths[screen]})`, false, { getInitialValueInEffect: false })

export const useIsPhone = () => useIsUpTo('phone')
