import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { paletteSize } from './data.ts'

type Color = [number, number, number]

const tokens = readFileSync(join(import.meta.dirname, '..', 'theme', 'tokens.css'), 'utf8')
const [light, dark] = tokens.split(':root[data-mantine-color-scheme="dark"]') as [string, string]
const linear = (hex: string) =>
  [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as Color
const read = (css: string, name: string) => linear(new RegExp(`${name}: (#\\w{6});`).exec(css)![1]!)

const luminance = ([red, green, blue]: Color) => 0.2126 * red + 0.7152 * green + 0.0722 * blue
function contrast(a: Color, b: Color) {
  const [bright, dim] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

const times = (matrix: number[][], color: Color) =>
  matrix.map((row) => row.reduce((sum, factor, index) => sum + factor * color[index]!, 0)) as Color

/** How people without one kind of cone see a color (Machado, Oliveira and Fernandes, 2009). */
const eyes = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** OKLab, in which the distance between two colors is how different they look. */
function perceived(color: Color) {
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  ).map(Math.cbrt) as Color
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  )
}
const distance = (a: Color, b: Color) => 100 * Math.hypot(...a.map((part, index) => part - b[index]!))
const clamped = (color: Color) => color.map((part) => Math.min(1, Math.max(0, part))) as Color

describe.each([
  { scheme: 'light', css: light },
  { scheme: 'dark', css: dark },
])('the colors of charts in the $scheme scheme', ({ css }) => {
  const palette = Array.from({ length: paletteSize }, (_, index) => read(css, `--chart-${index + 1}`))
  const surfaces = [read(css, '--surface'), read(css, '--sunken')]

  test('stand out from both surfaces by at least 3 to 1, those of options too', () => {
    const hues = [...tokens.matchAll(/--hue: (#\w{6});/g)].map((match) => linear(match[1]!))
    expect(hues).toHaveLength(9)
    for (const color of [...palette, ...hues, read(css, '--outline')])
      for (const surface of surfaces) expect(contrast(color, surface)).toBeGreaterThanOrEqual(3)
  })

  test.each(Object.entries(eyes))('any two can be told apart with %s', (_, matrix) => {
    const seen = palette.map((color) => perceived(clamped(times(matrix, color))))
    for (const [index, one] of seen.entries())
      for (const other of seen.slice(0, index)) expect(distance(one, other)).toBeGreaterThan(10)
  })
})
