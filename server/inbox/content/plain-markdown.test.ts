import { expect, test } from 'vitest'
import { previewOf } from '../../../contract/shared/message-preview.ts'
import { plainMarkdown } from './plain-markdown.ts'

test.each([
  ['**240 USD** for `file\\_name`', '240 USD for file\\_name'],
  ['Ada &amp; the R&amp;D team, 1 &lt; 2, &lt;b&gt;', 'Ada & the R&D team, 1 < 2, <b>'],
  ['2 \\* 3 \\* 4 and file\\_name\\_here', '2 * 3 * 4 and file_name_here'],
  ['See https://kith.example/a\\_b?c=1&amp;d=2.', 'See https://kith.example/a_b?c=1&d=2.'],
  ['See [our page](https://kith.example/a)', 'See our page (https://kith.example/a)'],
])('%s is sent as text: %s', (markdown, text) => {
  expect(plainMarkdown(markdown)).toBe(text)
})

test.each([
  ['**240 USD** for file\\_name\\_here', '240 USD for file_name_here'],
  ['R&amp;D: &lt;b&gt;\n\n# Title\n> quote', 'R&D: <b> Title quote'],
  ['See [our page](https://kith.example/a), 2 \\* 3', 'See our page, 2 * 3'],
])('%s begins with %s in a list', (text, shown) => {
  expect(previewOf({ text, direction: 'out' })).toBe(shown)
})

test('what others wrote begins as they wrote it, without what they quote', () => {
  expect(previewOf({ text: 'a * b\n\n*c*\n> old', quote_at: 10, direction: 'in' })).toBe('a * b *c*')
})

test('the preview of a message has no signature', () => {
  expect(previewOf({ text: 'Hello\n\n-- \n-- \nSupport team', direction: 'out' })).toBe('Hello')
  expect(previewOf({ text: '-- \nOnly a signature', direction: 'in' })).toBe('Only a signature')
})
