// The records somebody looked at last, for the palette. Kept in this tab, in memory: nothing of them stays behind.
import type { Titled } from './titles.ts'

const most = 6
let visited: Titled[] = []

export function rememberVisit(one: Titled) {
  visited = [one, ...visited.filter(({ id }) => id !== one.id)].slice(0, most)
}

export const lastVisited = () => visited
