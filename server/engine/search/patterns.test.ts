import { beforeAll, describe, expect, test } from 'vitest'
import { type Api, testApp } from '../../../test/app.ts'

const { given, withSession } = await testApp()
const create = async (api: Api, object: string, ...records: Record<string, unknown>[]) =>
  (await api.createRecords({ object, records })).records.map(({ id }) => id)
const titles = async (api: Api, q: string) => (await api.searchRecords({ q })).items.map(({ title }) => title)
let api: Api

beforeAll(async () => {
  api = withSession(await given.session(await given.company()))
  await api.updateCompany({ country: 'DE', language: 'de-DE' })
  const [clinic, acme] = await create(
    api,
    'organizations',
    { name: 'Tite Medical Aesthetics', domains: ['titemedicalaesthetics.com'], city: 'Fort Worth' },
    { name: 'Acme', domains: ['acme.de'], website: 'https://www.acme.de/kontakt' },
    { name: 'Acme Logistik', domains: ['acme-logistik.example'] },
  )
  await create(
    api,
    'people',
    {
      first_name: 'Jörg',
      last_name: 'Müller-Weiß',
      emails: ['j.mueller@acme.de'],
      phones: ['+49 30 123456'],
      city: 'Łódź',
      organization: acme,
    },
    { first_name: 'Anna', last_name: 'Schmidt', emails: ['anna@acme.de'], organization: acme },
    { first_name: 'Annabell', last_name: 'Ng', emails: ['frontdesk@titemedicalaesthetics.com'], organization: clinic },
    { first_name: 'John', last_name: 'Smith', emails: ['john.smith@mail.example'], phones: ['+1 415 555 0132'] },
    { first_name: 'Joan', last_name: 'Smitten', city: 'Berlin' },
  )
})

describe('what people type finds the record first:', () => {
  test.each([
    ['name and email together', 'Jörg Müller j.mueller@acme.de', 'Jörg Müller-Weiß'],
    ['a pasted address', '"Müller, Jörg" <j.mueller@acme.de>', 'Jörg Müller-Weiß'],
    ['name and place', 'müller lodz', 'Jörg Müller-Weiß'],
    ['a whole email', 'ANNA@acme.de', 'Anna Schmidt'],
    ['the local part of an email', 'frontdesk', 'Annabell Ng'],
    ['a domain', 'acme.de', 'Acme'],
    ['a domain with www and a page', 'https://www.acme.de/jobs', 'Acme'],
    ['a domain without its ending', 'titemedicalaesthetics', 'Tite Medical Aesthetics'],
    ['part of a long domain', 'medicalaesth', 'Annabell Ng'],
    ['a phone number, international', '+49 30 123456', 'Jörg Müller-Weiß'],
    ['a phone number, with 0049', '0049-30-12 34 56', 'Jörg Müller-Weiß'],
    ['a phone number, with (0)', '+49 (0)30 / 123456', 'Jörg Müller-Weiß'],
    ['a phone number, national', '030 123456', 'Jörg Müller-Weiß'],
    ['the end of a phone number', '555 0132', 'John Smith'],
    ['a phone number of another country', '001 (415) 555-0132', 'John Smith'],
    ['last name first', 'smith john', 'John Smith'],
    ['part of a word', 'chmid', 'Anna Schmidt'],
    ['without accents', 'jorg muller', 'Jörg Müller-Weiß'],
    ['with umlauts as two letters', 'Joerg Mueller', 'Jörg Müller-Weiß'],
    ['with ss and a hyphen', 'muller-weiss', 'Jörg Müller-Weiß'],
    ['the second part of a double name', 'weiß', 'Jörg Müller-Weiß'],
    ['an organization and a person', 'anna acme', 'Anna Schmidt'],
    ['a legal form that is not stored', 'Tite Medical Aesthetics LLC', 'Tite Medical Aesthetics'],
    ['a missing letter', 'anna shmidt', 'Anna Schmidt'],
    ['a wrong letter', 'schmitt anna', 'Anna Schmidt'],
    ['swapped letters', 'annabell medcial', 'Annabell Ng'],
    ['a typo in a single word', 'mullre', 'Jörg Müller-Weiß'],
    ['a typo in every word', 'jon smth', 'John Smith'],
    ['two letters of a last name', 'ng', 'Annabell Ng'],
    ['one letter', 'k', undefined],
    ['a name before names that begin with it', 'anna', 'Anna Schmidt'],
  ])('%s', async (_, q, first) => {
    expect((await titles(api, q))[0]).toBe(first)
  })

  test('an address finds its owner and no one else of that domain', async () => {
    expect(await titles(api, 'anna@acme.de')).toEqual(['Anna Schmidt'])
    expect(await titles(api, 'nobody@acme.de')).toEqual([])
  })

  test('a domain finds the organization, then its people', async () => {
    expect(await titles(api, 'acme.de')).toEqual(['Acme', 'Anna Schmidt', 'Jörg Müller-Weiß'])
  })

  test('with five exact matches or more, nothing that is only similar', async () => {
    await create(api, 'tasks', ...[1, 2, 3, 4, 5].map((n) => ({ title: `Zirkel ${n}` })), { title: 'Zirkus' })
    expect((await titles(api, 'zirkel')).sort()).toEqual([1, 2, 3, 4, 5].map((n) => `Zirkel ${n}`))
    expect(await titles(api, 'zirkle')).toContain('Zirkel 5')
  })
})

describe('a word with a typo finds the record first, among many with similar names:', () => {
  let api: Api
  beforeAll(async () => {
    api = withSession(await given.session(await given.company()))
    const names = ['Holz', 'Bauer', 'Ubahn', 'Glas', 'Stahl', 'Metall', 'Forst', 'Wein', 'Druck']
    await create(
      api,
      'organizations',
      ...names.flatMap((name) => [{ name: `Rheintal ${name}` }, { name: `Rheintal ${name} Sales` }]),
      { name: 'Rheintal Bau' },
    )
    await create(
      api,
      'people',
      ...['Schroeter', 'Scholz', 'Strode', 'Sander'].map((last_name) => ({ first_name: 'Peter', last_name })),
      ...['Fred', 'Frege', 'Angus', 'Ferdinand'].map((first_name) => ({ first_name, last_name: 'Reid' })),
      { first_name: 'Karl', last_name: 'Schröder' },
      { first_name: 'Fergus', last_name: 'MacLeod' },
      { first_name: 'Ute', last_name: 'Zimmer' },
    )
  })
  test.each([
    ['Scroeder', 'Karl Schröder'],
    ['Schröedr', 'Karl Schröder'],
    ['rheintal bua', 'Rheintal Bau'],
    ['fregus', 'Fergus MacLeod'],
    ['fergsu', 'Fergus MacLeod'],
    ['efrgus', 'Fergus MacLeod'],
    ['uet', 'Ute Zimmer'],
  ])('%s', async (q, first) => {
    expect((await titles(api, q))[0]).toBe(first)
  })
})

describe('names in every script are found by a part, in lists too:', () => {
  test.each([
    ['Latin', 'Żaneta Ołów', ['zaneta', 'OLOW', 'ołó']],
    ['Cyrillic', 'Москва Плюс', ['москва', 'МОСК', 'плюс']],
    ['Greek', 'Γιώργος Σεφέρης', ['γιωργοσ', 'ΣΕΦΕΡΗΣ', 'σεφε']],
    ['Arabic', 'محمد عبد الله', ['محمد', 'مُحَمَّد', 'الله']],
    ['Hebrew', 'דוד לוי', ['דוד', 'לוי']],
    ['Devanagari', 'राहुल शर्मा', ['राहुल', 'शर्मा', 'शर्']],
    ['Thai', 'สมชาย ใจดี', ['สมชาย', 'ใจดี', 'มชา']],
    ['Chinese', '北京大学出版社', ['北京', '大学', '出版社', '大']],
    ['Japanese', '株式会社さくら', ['さくら', '会社', '株式']],
    ['Korean', '김민준', ['김민준', '민준', '김']],
  ])('%s', async (_, name, queries) => {
    await create(api, 'organizations', { name })
    for (const q of queries) {
      const isInner = [...q].length === 1 && !name.startsWith(q)
      if (!isInner) expect((await titles(api, q))[0], q).toBe(name)
      const { records } = await api.queryRecords({ object: 'organizations', filter: { search: q } })
      expect(
        records.map(({ title }) => title),
        q,
      ).toContain(name)
    }
  })
})
