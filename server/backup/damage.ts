import { StartError } from '../platform/config.ts'

export const notWhole = (file: string) =>
  new StartError(`${file} is incomplete: its end is missing. Copy the file again or use another backup.`)

export const damaged = (file: string, cause?: unknown) =>
  new StartError(`${file} is damaged. Nothing was changed. Copy the file again or use another backup.`, { cause })
