import { StartError } from '../platform/config.ts'

export const notWhole = (file: string) =>
  new StartError(`${file} is not whole: its end is missing. Use another backup, or copy this one again.`)

export const damaged = (file: string, cause?: unknown) =>
  new StartError(`${file} is damaged, and nothing was changed. Use another backup, or copy this one again.`, { cause })
