// Search in languages that put no spaces between words, with real sentences.
import { beforeEach, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { inboxFor } from '../../../test/inbox.ts'
import { testWorker } from '../../../test/worker.ts'

const kith = await testApp({ own: true })
const worker = await testWorker(kith)
const inbox = inboxFor(kith)
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>

const mails = {
  Chinese: '您好，我上周在贵公司网站订购的iPhone手机壳还没有收到，请问什么时候可以发货？谢谢！',
  Traditional: '您好，請問貴公司的報價單是否包含運費？我們希望在下個月之前收到貨物。',
  Japanese:
    'お世話になっております。先日お送りいただいた見積書について、納期を確認させてください。東京都庁での打ち合わせは十時です。',
  Katakana: 'プリンターのトナーカートリッジを三個注文したいのですが、在庫はありますか。',
  Thai: 'สวัสดีครับ ผมต้องการใบเสนอราคาสำหรับเครื่องพิมพ์สองเครื่อง กรุณาส่งภายในวันศุกร์',
  Korean: '안녕하세요. 주문한 상품의 배송 상태를 알고 싶습니다.',
  English: 'Hello, when will my order be shipped?',
}

beforeEach(async () => {
  admin = await kith.given.company()
  api = kith.withKey(await kith.given.key(admin))
  const team = await inbox.channel(admin)
  for (const [subject, text] of Object.entries(mails)) await inbox.arrives(team, { subject, text })
})

const found = async (query: { q?: string; filter?: string }) =>
  (await api.listConversations({ limit: 100, ...query })).items.map(({ subject }) => subject).toSorted()

const cases: [string, string[]][] = [
  ['手机壳', ['Chinese']],
  ['手机', ['Chinese']],
  ['什么时候可以发货', ['Chinese']],
  ['贵公司网站', ['Chinese']],
  ['iphone手机', ['Chinese']],
  ['收到', ['Chinese', 'Traditional']],
  ['货', ['Chinese']],
  ['報價單', ['Traditional']],
  ['運費', ['Traditional']],
  ['見積書', ['Japanese']],
  ['納期', ['Japanese']],
  ['納期 見積', ['Japanese']],
  ['東京', ['Japanese']],
  ['京都', ['Japanese']],
  ['都庁', ['Japanese']],
  ['カートリッジ', ['Katakana']],
  ['ﾄﾅｰ', ['Katakana']],
  ['在庫', ['Katakana']],
  ['ใบเสนอราคา', ['Thai']],
  ['เครื่องพิมพ์', ['Thai']],
  ['วันศุกร์', ['Thai']],
  ['배송', ['Korean']],
  ['shipped order', ['English']],
  // Every part is there, but not in a row.
  ['公司贵', []],
  ['手壳', []],
  ['積見書', []],
  ['ราคาเสนอ', []],
]

test('a word of a Chinese, Japanese or Thai sentence is found anywhere in it', async () => {
  for (const [q, expected] of cases) expect(await found({ q }), q).toEqual(expected)
  for (const [q, expected] of cases) expect(await found({ filter: `search("${q}")` }), q).toEqual(expected)
})

test('messages from before are found after the job that indexes them again, and all others still', async () => {
  const { company_id } = admin
  await kith.pool.query(`update messages set search = to_tsvector('simple', subject) where company_id = $1`, [
    company_id,
  ])
  await kith.pool.query('update companies set message_index_version = 1 where id = $1', [company_id])
  expect(await found({ q: '手机壳' })).toEqual([])
  await worker.run('reindex_messages', {})
  expect(await found({ q: '手机壳' })).toEqual(['Chinese'])
  expect(await found({ q: 'วันศุกร์' })).toEqual(['Thai'])
  expect(await found({ q: 'english' })).toEqual(['English'])
  const { rows } = await kith.pool.query('select message_index_version from companies where id = $1', [company_id])
  expect(rows).toEqual([{ message_index_version: 3 }])
})

test('a long message without a single space arrives, and its beginning is found', async () => {
  const team = await inbox.channel(admin)
  await inbox.arrives(team, { subject: 'Long', text: `開始${'日月火水木金土'.repeat(15_000)}` })
  expect(await found({ q: '開始日月' })).toEqual(['Long'])
})

test('a message is found by the names of its files, also one from before', async () => {
  const team = await inbox.channel(admin)
  const file = { type: 'application/pdf', content: Buffer.from('x'), contentId: null, isInline: false }
  await inbox.arrives(team, { subject: 'Report', files: [{ ...file, name: 'Prüfung 2026.pdf' }] })
  expect(await found({ q: 'prufung' })).toEqual(['Report'])
  await kith.pool.query(`update messages set search = to_tsvector('simple', subject) where company_id = $1`, [
    admin.company_id,
  ])
  await kith.pool.query('update companies set message_index_version = 2 where id = $1', [admin.company_id])
  expect(await found({ q: 'Prüfung' })).toEqual([])
  await worker.run('reindex_messages', {})
  expect(await found({ q: 'Prüfung' })).toEqual(['Report'])
})
