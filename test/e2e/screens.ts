import { isLong } from '../long.ts'

/** The long run takes all of them, other runs the last, which is the phone: most other tests run on a desktop. */
export const screens = <Screen>(all: readonly Screen[]) => (isLong ? all : all.slice(-1))
