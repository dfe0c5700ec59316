import { expect, test } from 'vitest'
import { cpuSeconds } from '../../../test/cpu-time.ts'
import { replies, visible } from '../../../test/mails/replies.ts'
import { bodyDocument, textAsHtml } from './body-document.ts'
import { foldQuotes } from './quotes.ts'
import { safeHtml } from './safe-html.ts'

test.each(replies)('what is quoted is folded: $name', ({ own, quote, earlier = [] }) => {
  expect(foldQuotes({ text: own + quote, earlier })).toEqual({ text: own, quote })
})

test.each(visible)('own words stay visible: $name', ({ own, earlier = [] }) => {
  expect(foldQuotes({ text: own, earlier })).toEqual({ text: own, quote: '' })
})

/** What a reader sees at first, and what is behind the fold. */
function folded(given: string, earlier: string[] = []) {
  const { html } = foldQuotes({ html: safeHtml(given).html, earlier })
  const [shown = '', ...rest] = html.split('<div data-fold>')
  const words = (text: string) =>
    text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  return { shown: words(shown), hidden: words(rest.join(' ')) }
}

test.each([
  [
    'Gmail',
    '<div dir="ltr">Sure.</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon Ada wrote:</div><blockquote class="gmail_quote">Offer?</blockquote></div>',
  ],
  [
    'Apple Mail',
    '<div>Sure.<br><div><blockquote type="cite"><div>On Mon Ada wrote:</div><div>Offer?</div></blockquote></div></div>',
  ],
  [
    'Thunderbird',
    '<p>Sure.</p><div class="moz-cite-prefix">On Mon Ada wrote:<br></div><blockquote type="cite" cite="mid:x">Offer?</blockquote>',
  ],
  ['Yahoo', '<div>Sure.</div><div id="ydp1" class="yahoo_quoted"><div>On Mon Ada wrote:</div><div>Offer?</div></div>'],
  [
    'Outlook on the web',
    '<div>Sure.</div><div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg"><b>On Mon Ada wrote:</b></div><div>Offer?</div>',
  ],
  [
    'Outlook on Windows',
    '<div class="WordSection1"><p>Sure.</p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p>On Mon Ada wrote:</p></div></div><p>Offer?</p></div>',
  ],
  [
    'Proton',
    '<div>Sure.</div><div class="protonmail_quote">On Mon Ada wrote:<blockquote type="cite">Offer?</blockquote></div>',
  ],
])('what %s quotes is folded by its structure', (_, html) => {
  expect(folded(html)).toEqual({ shown: 'Sure.', hidden: 'On Mon Ada wrote: Offer?' })
})

test('a quote without any mark is found by what was written before', () => {
  const earlier = ['Kan I sende et tilbud på ti licenser inden fredag?']
  const html = '<div>Ja.</div><div><p>Kan I sende et tilbud på ti licenser inden fredag?</p></div>'
  expect(folded(html, earlier)).toEqual({ shown: 'Ja.', hidden: earlier[0] })
})

test('answers between the parts of a quote stay visible, with what they answer', () => {
  const gmail =
    '<div class="gmail_quote"><div class="gmail_attr">On Mon Ada wrote:</div><blockquote class="gmail_quote">Ten?</blockquote><div>Yes.</div><blockquote class="gmail_quote">Friday?</blockquote><div>No.</div></div>'
  expect(folded(gmail)).toEqual({ shown: 'On Mon Ada wrote: Ten? Yes. Friday? No.', hidden: '' })
})

test('of answers and a rest, only the rest is folded', () => {
  const html =
    '<blockquote type="cite">Ten?</blockquote><p>Yes.</p><blockquote type="cite">Kind regards, Ada</blockquote>'
  expect(folded(html)).toEqual({ shown: 'Ten? Yes.', hidden: 'Kind regards, Ada' })
})

test('answers in an Outlook quote stay visible where we know what was quoted', () => {
  const html =
    '<div>See below.</div><div id="divRplyFwdMsg"><b>From:</b> Ada</div><div>please send us an offer for ten licenses</div><div>Monday is best.</div><div>until Friday because we need them soon</div>'
  const earlier = ['please send us an offer for ten licenses\nuntil Friday because we need them soon']
  expect(folded(html, earlier).hidden).toBe('')
  expect(folded(html).hidden).toContain('Monday')
})

test('an Outlook quote is folded, also if our own answer quotes the same words below the same name', () => {
  const words = 'please send us an offer for ten licenses\nuntil Friday because we need them soon'
  const answer = `Here it is.\n\nOn 3 May 2026, Ada Stone <ada@customer.example> wrote:\n${words.replace(/^/gm, '> ')}`
  const head = ['From: Ada Stone <ada@customer.example>', 'Sent: Monday 10:12', 'To: Support', 'Subject: Offer'].join(
    '\n',
  )
  const text = `Thank you.\n\n${head}\n\n${words}`
  for (const earlier of [[words], [answer, words]])
    expect(foldQuotes({ text, earlier })).toMatchObject({ text: expect.stringMatching(/^Thank you\.\s*$/) })
})

test('a message that is only a quote is shown', () => {
  expect(folded('<blockquote type="cite">Offer?</blockquote>')).toEqual({ shown: 'Offer?', hidden: '' })
})

test('what was forwarded is shown', () => {
  const html =
    '<div>Can you answer?</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ada</div>Call me.</div>'
  expect(folded(html).hidden).toBe('')
})

test('folding changes nothing but the fold', () => {
  const { html } = safeHtml(
    '<table><tr><td><p>Sure.</p><blockquote type="cite">a<b>b</b></blockquote></td></tr></table>',
  )
  const folded = foldQuotes({ html, earlier: [] }).html
  expect(folded).not.toBe(html)
  expect(folded.replace('<div data-fold>', '').replace('</div>', '')).toBe(html)
})

test('the document folds quotes, and opens them when asked', () => {
  const show = (quote: 'folded' | 'shown') =>
    bodyDocument(textAsHtml({ text: 'Hi <b> https://example.com/a.', quote: '> old' }), {
      images: new Map(),
      remote: null,
      quote,
    })
  expect(show('folded')).toContain('Hi &lt;b&gt; <a href="https://example.com/a"')
  expect(show('folded')).toContain(
    '<details><summary>Quoted text</summary><div><div data-text>&gt; old</div></div></details>',
  )
  expect(show('shown')).toContain('<details open>')
})

test.each([
  ['colons', ':'],
  ['lines with colons', 'a:\n'],
  ['attributions', 'On 1 2 wrote:\n'],
  ['Dutch attributions', 'Op x schreef y\n'],
  ['headers', 'From: a@b.c\n'],
  ['quotes', '> '],
  ['lines of quotes', '>\n'],
  ['dashes', '-'],
  ['dashed lines', '----- x -----\n'],
  ['spaces', ' '],
  ['words', 'one two three four five '],
  ['addresses', 'http://a'],
])('takes bounded time for 64 kB of %s', async (_, sign) => {
  const text = `x\n${sign.repeat(64_000 / sign.length)}x`
  const seconds = await cpuSeconds(() => {
    const parts = foldQuotes({ text, earlier: [text, 'one two three four five six seven'] })
    expect(parts.text + parts.quote).toBe(text)
    textAsHtml(parts)
  })
  expect(seconds).toBeLessThan(3)
})
