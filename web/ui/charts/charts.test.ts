import { describe, expect, test } from 'vitest'
import { categoriesOf, isolated, type Point, paintAt, type Series, spoken } from './data.ts'
import { firstPlace, placeAfter } from './keys.ts'
import { axisLabels, bandScale, evenly, fitText, spread, valueScale, withOwnText } from './scales.ts'
import { ringOf, sharesOf, stepsOf } from './shares.ts'
import { plainSpans, stackSpans } from './stacks.ts'
import { chartCsv, fileName } from './to-csv.ts'

const pointsOf = (values: Record<string, number | null>): Point[] =>
  Object.entries(values).map(([key, value]) => ({ key, label: key.toUpperCase(), value, text: String(value ?? '–') }))
const seriesOf = (...all: Record<string, number | null>[]): Series[] =>
  all.map((values, index) => ({ key: `s${index}`, label: `Series ${index}`, points: pointsOf(values) }))
const seven = (text: string) => text.length * 7

describe('data', () => {
  test('points of several series meet by key, in the order in which their places first appear', () => {
    const categories = categoriesOf(seriesOf({ a: 1, c: 3 }, { b: 2, c: 4 }))
    expect(categories.map(({ key, points }) => [key, points.map((point) => point?.value)])).toEqual([
      ['a', [1, undefined]],
      ['c', [3, 4]],
      ['b', [undefined, 2]],
    ])
  })

  test('from the seventh series on, the colors come back with a pattern', () => {
    expect(paintAt(5)).toEqual({ color: 'var(--chart-6)', isHatched: false })
    expect(paintAt(6)).toEqual({ color: 'var(--chart-1)', isHatched: true })
    expect(paintAt(0, 'green')).toEqual({ color: 'var(--hue)', hue: 'green', isHatched: false })
  })

  test('a point is announced with its label and value, and with its series if there are several', () => {
    const [one] = seriesOf({ won: 12 })
    expect(spoken(one!.points[0]!, one!, false)).toBe('WON: 12')
    expect(spoken(one!.points[0]!, one!, true)).toBe('WON, Series 0: 12')
    expect(isolated('فرص')).toBe('\u2068فرص\u2069')
  })
})

describe('scales', () => {
  test('bounds are round and contain zero, whatever the values', () => {
    const bounds = (values: number[]) => valueScale(values, [0, 200]).scale.domain()
    expect(bounds([37, 187])).toEqual([0, 200])
    expect(bounds([-37, 187])).toEqual([-100, 200])
    expect(bounds([-8, -3])).toEqual([-8, 0])
    expect(bounds([])).toEqual([0, 1])
  })

  test('counts have no fractions as ticks, and all zeros have one tick', () => {
    expect(valueScale([0, 1, 2], [0, 400]).ticks).toEqual([0, 1, 2])
    expect(valueScale([0.5], [0, 200]).ticks).toContain(0.2)
    expect(valueScale([0, 0], [0, 200]).ticks).toEqual([0])
  })

  test('what is not decimal has ticks of its own, and no two of them read alike', () => {
    const minutes = [1, 2, 5, 10, 15, 30, 60, 120]
    expect(valueScale([0, 0.4], [0, 200], { steps: minutes }).ticks).toEqual([0, 1])
    expect(valueScale([0, 47], [0, 200], { steps: minutes }).ticks).toEqual([0, 30, 60])
    expect(valueScale([0, 1000], [0, 200], { steps: minutes }).ticks).toEqual([0, 360, 720, 1080])
    expect(withOwnText([0, 0.5, 1, 1.5, 2], (value) => String(Math.floor(value)))).toEqual([0, 1, 2])
  })

  test('bands and points fill the width; a single point stands in the middle', () => {
    const band = bandScale(['a', 'b'], [0, 100], 0.2)
    expect(band.step()).toBeCloseTo(50)
    expect(evenly(3, [0, 100])).toEqual([0, 50, 100])
    expect(evenly(1, [0, 100])).toEqual([50])
  })

  test('long text is cut to its width, never in the middle of a character', () => {
    expect(fitText('Negotiation', 56, seven)).toBe('Negotia…')
    expect(fitText('Won', 56, seven)).toBe('Won')
    expect(fitText('👍👍👍👍', 40, seven)).toBe('👍👍…')
    expect(fitText('Won', 3, seven)).toBe('')
  })

  test('of many dates, some are labeled; names are cut as long as there is room', () => {
    const days = Array.from({ length: 90 }, (_, index) => `Day ${index}`)
    const shown = axisLabels({ labels: days, step: 5, measure: seven, isTime: true })
    expect(shown.map(({ index }) => index)).toEqual([0, 12, 24, 36, 48, 60, 72, 84])
    const names = axisLabels({ labels: ['Negotiation', 'Won'], step: 62, measure: seven, isTime: false })
    expect(names.map(({ text }) => text)).toEqual(['Negotia…', 'Won'])
  })

  test('labels that would cover each other move apart and stay above the bottom', () => {
    expect(spread([10, 12, 60], 15, 100)).toEqual([10, 25, 60])
    expect(spread([98, 99], 15, 100)).toEqual([85, 100])
  })
})

describe('shapes', () => {
  test('stacks grow from zero in both directions, and a zero keeps its place between its neighbors', () => {
    const [a, b] = stackSpans(
      categoriesOf(seriesOf({ a: 3, b: 5 }, { a: -2, b: 0 }, { a: 4, b: null }, { a: -1, b: 2 })),
    )
    expect(a!.map(({ from, to }) => [from, to])).toEqual([
      [0, 3],
      [0, -2],
      [3, 7],
      [-2, -3],
    ])
    expect(b!.map(({ from, to }) => [from, to])).toEqual([
      [0, 5],
      [5, 5],
      [5, 5],
      [5, 7],
    ])
    expect(plainSpans(categoriesOf(seriesOf({ a: -3 })))).toEqual([[{ from: 0, to: -3 }]])
  })

  test('a ring has a piece for each positive value; shares add up to the whole', () => {
    const points = pointsOf({ a: 30, b: 10, c: 0, d: -5, e: null })
    expect(sharesOf(points)).toEqual([0.75, 0.25, 0, 0, 0])
    expect(ringOf(points, 80, 20).map(({ path }) => path !== null)).toEqual([true, true, false, false, false])
    expect(sharesOf(pointsOf({ a: 0 }))).toEqual([0])
  })

  test('a funnel says which part of each step came further', () => {
    expect(stepsOf(pointsOf({ a: 200, b: 50, c: 0, d: 10 }))).toEqual([
      { length: 1, rate: null },
      { length: 0.25, rate: 0.25 },
      { length: 0, rate: 0 },
      { length: 0.05, rate: null },
    ])
  })
})

describe('keys', () => {
  const categories = categoriesOf(seriesOf({ a: 1, b: null, c: 3 }, { a: 4, b: 5, c: 6 }))

  test('arrows go along the categories and up through the series, past gaps and not over the ends', () => {
    expect(firstPlace(categories)).toEqual([0, 0])
    expect(placeAfter('ArrowRight', [0, 0], categories, false)).toEqual([2, 0])
    expect(placeAfter('ArrowRight', [2, 0], categories, false)).toEqual([2, 0])
    expect(placeAfter('ArrowUp', [0, 0], categories, false)).toEqual([0, 1])
    expect(placeAfter('ArrowDown', [1, 1], categories, false)).toEqual([1, 1])
    expect(placeAfter('End', [0, 0], categories, false)).toEqual([2, 1])
    expect(placeAfter('Home', [2, 1], categories, false)).toEqual([0, 0])
    expect(placeAfter('x', [0, 0], categories, false)).toBeUndefined()
  })

  test('in rows, the arrows up and down go along; in a single series, all arrows do', () => {
    expect(placeAfter('ArrowDown', [0, 1], categories, true)).toEqual([1, 1])
    expect(placeAfter('ArrowRight', [0, 0], categories, true)).toEqual([0, 1])
    const single = categoriesOf(seriesOf({ a: 1, b: 2 }))
    expect(placeAfter('ArrowDown', [0, 0], single, false)).toEqual([1, 0])
    expect(placeAfter('ArrowRight', [0, 0], single, true)).toEqual([1, 0])
  })
})

describe('CSV', () => {
  test('the file has the plain numbers, quotes what needs it and disarms formulas', () => {
    const series = seriesOf({ a: -1.5, b: null }, { a: 2 })
    series[0]!.label = '=1+1'
    series[0]!.points[1]!.label = 'Won, "late"'
    expect(chartCsv('Stage', series)).toBe('\ufeffStage,\'=1+1,Series 1\r\nA,-1.5,2\r\n"Won, ""late""",,\r\n')
  })

  test('files are named after the chart in any script', () => {
    expect(fileName('Won / lost: März', 'csv')).toBe('Won-lost-März.csv')
    expect(fileName('???', 'png')).toBe('chart.png')
  })
})
