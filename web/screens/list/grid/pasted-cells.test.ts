import { expect, test } from 'vitest'
import { cellsOf, isBlock } from './pasted-cells.ts'

test('a block copied from a spreadsheet is read row by row, with quotes, line breaks and empty cells', () => {
  expect(cellsOf('Head of IT\tActive\r\nCFO\tCustomer\r\n')).toEqual([
    ['Head of IT', 'Active'],
    ['CFO', 'Customer'],
  ])
  expect(cellsOf('a\t\tb\n\tc\t')).toEqual([
    ['a', '', 'b'],
    ['', 'c', ''],
  ])
  expect(cellsOf('"two\nlines"\t"say ""hi"""\nnext')).toEqual([['two\nlines', 'say "hi"'], ['next']])
  expect(cellsOf('5" disk\tx')).toEqual([['5" disk', 'x']])
  expect(cellsOf('one\n')).toEqual([['one']])
})

test('a single cell is no block, and neither are several lines for a field of many lines', () => {
  expect(isBlock(cellsOf('one\r\n'), false)).toBe(false)
  expect(isBlock(cellsOf('one\ntwo'), false)).toBe(true)
  expect(isBlock(cellsOf('one\ntwo'), true)).toBe(false)
  expect(isBlock(cellsOf('one\ttwo'), true)).toBe(true)
})
