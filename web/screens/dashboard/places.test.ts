import { describe, expect, test } from 'vitest'
import { moved, placed } from './moves.ts'
import { packed } from './places.ts'

const widget = (id: string, x: number, y: number, width: number, height: number) => ({ id, x, y, width, height })
const placesOf = (widgets: ReturnType<typeof widget>[]) =>
  Object.fromEntries(widgets.map(({ id, x, y, width, height }) => [id, [x, y, width, height]]))

describe('widgets on the grid', () => {
  const three = [widget('a', 0, 0, 6, 2), widget('b', 6, 0, 6, 2), widget('c', 0, 2, 12, 3)]

  test('close the gap that a missing one leaves, and never overlap', () => {
    expect(placesOf(packed(three.slice(2)))).toEqual({ c: [0, 0, 12, 3] })
    expect(placesOf(packed([widget('a', 0, 0, 8, 2), widget('b', 6, 1, 6, 2)]))).toEqual({
      a: [0, 0, 8, 2],
      b: [6, 2, 6, 2],
    })
  })

  test('change places with the neighbor above or below', () => {
    expect(placesOf(moved(three, 'a', 'down'))).toEqual({ b: [6, 0, 6, 2], c: [0, 2, 12, 3], a: [0, 5, 6, 2] })
    expect(placesOf(moved(three, 'c', 'up')).c).toEqual([0, 0, 12, 3])
    expect(placesOf(moved(three, 'c', 'down'))).toEqual(placesOf(three))
  })

  test('push others down when they become wider, and stay inside of the grid', () => {
    expect(placesOf(moved(three, 'a', 'wider'))).toEqual({ a: [0, 0, 7, 2], b: [6, 2, 6, 2], c: [0, 4, 12, 3] })
    expect(placesOf(moved(three, 'b', 'right')).b).toEqual([6, 0, 6, 2])
    expect(placesOf(placed(three, 'c', { y: 0 }))).toEqual({ c: [0, 0, 12, 3], a: [0, 3, 6, 2], b: [6, 3, 6, 2] })
  })
})
