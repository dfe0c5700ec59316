import { expect, test } from 'vitest'
import { isHtml, markdownOf, withoutHtml } from './html-cell.ts'

const notes = { built_in_key: 'notes' }
const body = { type: 'long_text', is_multi: false, built_in_key: 'body' } as const

test('HTML of other products becomes Markdown in a note', () => {
  const asNote = (html: string) => withoutHtml(notes, body, html)
  expect(asNote('<p>Entscheider ist <b>Herr Müller</b>.<br>Nächster Schritt: Angebot</p>')).toBe(
    'Entscheider ist **Herr Müller**.\nNächster Schritt: Angebot',
  )
  expect(asNote('<h2>Call</h2><ul><li>first</li><li>second <i> one </i></li></ul><p>Tom &amp; Ann</p>')).toBe(
    '## Call\n\n- first\n- second *one*\n\nTom & Ann',
  )
  expect(asNote('<div>See <a href="https://x.com/a(b)">the offer</a>,<strong><em>now</em></strong></div>')).toBe(
    'See [the offer](https://x.com/a%28b%29),***now***',
  )
  expect(asNote('<blockquote>Quoted</blockquote>')).toBe('> Quoted')
})

test('what looks like Markdown in the text of HTML stays text', () => {
  expect(markdownOf('<p>5 * 3, snake_case, _x_ and [@Ann](mention:1)</p>')).toBe(
    '5 \\* 3, snake_case, \\_x\\_ and [@Ann\\](mention:1)',
  )
  expect(markdownOf('<p><a href="javascript:alert(1)">here</a></p>')).toBe('here')
})

test('other fields get plain text: on one line in short ones', () => {
  const html = '<div>Line <b>one</b></div><div>Line two</div>'
  expect(withoutHtml({ built_in_key: 'tasks' }, body, html)).toBe('Line one\nLine two')
  expect(withoutHtml(notes, { ...body, type: 'text', built_in_key: null }, html)).toBe('Line one Line two')
})

test.each([
  'a < b and c > d',
  'Ada <ada@example.com>',
  'if (x<y) { }',
  '<3 this',
  'Use <b> for bold',
  '<script>alert(1)</script>',
  '<p>cut <b',
  '<x-tag>what</x-tag>',
  'Tom &amp; Ann',
  '<b><i>crossed</b></i>',
])('%j is no HTML and stays as it is', (text) => {
  expect(isHtml(text)).toBe(false)
  expect(withoutHtml(notes, body, text)).toBe(text)
})
