// What a frame tells the chart inside of it.
import { createContext, type RefObject, useContext, useEffect, useState } from 'react'
import type { Category, Series } from './data.ts'
import type { Place } from './keys.ts'
import type { Measure } from './scales.ts'

export type Chart = {
  title: string
  series: Series[]
  categories: Category[]
  /** Of the values on an axis. */
  format: (value: number) => string
  /** How far apart these may be, in ascending order, for what is not decimal. */
  steps: readonly number[] | undefined
  isTime: boolean
}

export const ChartContext = createContext<Chart | undefined>(undefined)

export function useChart() {
  const chart = useContext(ChartContext)
  if (!chart) throw new Error('A chart stands in a ChartFrame')
  return chart
}

/** The point under the pointer or the focus, and where its tooltip stands. */
export type Active = { place: Place; x: number; y: number; note?: string }

export type Plot = {
  active: Active | undefined
  activate: (next: Active | undefined) => void
  /** Where the Tab key arrives. */
  tabStop: Place | undefined
  /** The id of a pattern. */
  hatch: string
}

export const PlotContext = createContext<Plot | undefined>(undefined)
export const usePlot = () => useContext(PlotContext)!

export type Size = { width: number; height: number }

/** The size that an element has; zero until it is known. */
export function useSize(element: RefObject<Element | null>) {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect
      setSize({ width: Math.floor(width), height: Math.floor(height) })
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}

const fonts = {
  axis: "400 12px 'Inter Variable', ui-sans-serif, system-ui, sans-serif",
  value: "500 12px 'Inter Variable', ui-sans-serif, system-ui, sans-serif",
}
const canvas = typeof document === 'undefined' ? null : document.createElement('canvas').getContext('2d')
const widths = new Map<string, number>()

/** The width of text in a drawing, in pixels. */
export const measureIn = (font: keyof typeof fonts): Measure => {
  return (text) => {
    const key = `${font} ${text}`
    const known = widths.get(key)
    if (known !== undefined || !canvas) return known ?? text.length * 7
    canvas.font = fonts[font]
    const { width } = canvas.measureText(text)
    // A font that is still loading is narrower or wider.
    if (document.fonts.status === 'loaded') widths.set(key, width)
    return width
  }
}

export const widestOf = (texts: string[], measure: Measure) => Math.ceil(Math.max(0, ...texts.map(measure)))
