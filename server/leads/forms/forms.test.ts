// What visitors of a website can do with a form, and what becomes of it.
import { solveChallenge } from 'altcha-lib/v1'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { testApp } from '../../../test/app.ts'
import type { GivenUser } from '../../../test/given.ts'
import { sized } from '../../../test/long.ts'
import { testSmtp } from '../../../test/smtp.ts'
import { soon, testWorker } from '../../../test/worker.ts'

const smtp = await testSmtp()
const kith = await testApp({ smtpUrl: smtp.url, baseUrl: 'https://crm.example.com', trustProxy: true })
const worker = await testWorker(kith)
const site = 'https://www.acme.example'
let admin: GivenUser
let api: ReturnType<typeof kith.withKey>
let network = 0
/** Each test comes from a network of its own. */
let from = ''

beforeEach(async () => {
  admin = await kith.given.company()
  api = kith.withKey(await kith.given.key(admin))
  from = `203.0.${Math.floor(++network / 250)}.${(network % 250) + 1}`
})

const own = () => ({ host: 'crm.example.com', 'x-forwarded-proto': 'https', 'x-forwarded-for': from })
const post = (path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
  kith.send(path, {
    method: 'POST',
    headers: { ...own(), 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(body).toString(),
  })
const get = (path: string, headers: Record<string, string> = {}) =>
  kith.send(path, { headers: { ...own(), ...headers } })

type Source = Awaited<ReturnType<typeof api.createLeadSource>>
const newSource = (given: object = {}): Promise<Source> =>
  api.createLeadSource({ name: 'Website', allowed_origins: [site], ...given } as never)

async function opened({ form_id }: Source, secondsAgo = 10) {
  const answer = await get(`/public/forms/${form_id}/description`, { origin: site })
  const form = (await answer.json()) as { token: string; honeypot: string; fields: { name: string; type: string }[] }
  kith.time.now = new Date(kith.time.now.getTime() + secondsAgo * 1000)
  return form
}
async function submit(source: Source, values: Record<string, string>, more: Record<string, string> = {}) {
  const answer = await post(`/public/forms/${source.form_id}/submissions`, { ...values, ...more }, { origin: site })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer }
}
type Answer = {
  state: string
  token: string
  challenge: { challenge: string; salt: string; maxnumber: number }
  errors?: { path: string }[]
  redirect_url: string | null
}

async function sendAs(source: Source, values: Record<string, string>) {
  const { token } = await opened(source)
  return submit(source, values, { kith_token: token })
}
const processed = (count: number, state = 'lead') =>
  soon(async () => {
    const { items } = await api.listLeadSubmissions({ state: state as 'lead' })
    expect(items).toHaveLength(count)
    return items
  })
async function solved({ challenge: asked }: Answer) {
  const { number } = (await solveChallenge(asked.challenge, asked.salt, 'SHA-256', asked.maxnumber).promise)!
  return btoa(JSON.stringify({ ...asked, number }))
}
const leads = async () => (await api.listRecords({ object: 'leads', sort: ['created_at'] })).records
const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', message: 'Please call me' }

describe('a form', () => {
  test('speaks one language to its visitors: that of the company, unless another is chosen', async () => {
    await api.updateCompany({ language: 'de-DE' })
    const source = await newSource()
    expect(source.language).toBe('de-DE')
    const answer = await get(`/public/forms/${source.form_id}/description`, { origin: site })
    const form = (await answer.json()) as { fields: { label: string }[]; texts: Record<string, string> }
    expect(form.fields.map(({ label }) => label)).toEqual([
      'Vorname',
      'Nachname',
      'E-Mail',
      'Telefon',
      'Firma',
      'Nachricht',
    ])
    expect([form.texts.submit, form.texts.thank_you]).toEqual(['Senden', 'Vielen Dank. Ihre Nachricht ist angekommen.'])
    // A name that the company chose is left as it is, and so is a form in English.
    await api.updateField({ object: 'leads', field: 'company_name', label: 'Betrieb' })
    expect((await newSource()).fields.map(({ label }) => label)).toEqual([
      'Vorname',
      'Nachname',
      'E-Mail',
      'Telefon',
      '',
      'Nachricht',
    ])
    expect((await newSource({ language: 'en-GB' })).fields.map(({ label }) => label)).toEqual(Array(6).fill(''))
  })

  test('becomes a lead with its page, its UTM parameters, its consent and its raw text', async () => {
    const source = await newSource({ consent: { text: 'I agree to [privacy](https://acme.example/privacy)' } })
    const { token } = await opened(source)
    const missing = await submit(source, ada, { kith_token: token })
    expect([missing.status, missing.body.errors![0]!.path]).toEqual([422, 'kith_consent'])
    const page = `${site}/pricing?utm_source=news&utm_campaign=june`
    const sent = { kith_token: token, kith_consent: '1', kith_page: page, kith_referrer: 'https://search.example/' }
    const { status, body, headers } = await submit(source, ada, sent)
    expect([status, body.state]).toEqual([201, 'accepted'])
    expect(headers.get('access-control-allow-origin')).toBe(site)
    const [submission] = await processed(1)
    const [lead] = await leads()
    expect(lead).toMatchObject({ ...ada, source: 'Website', status: 'new', consent: true, utm_source: 'news', page })
    expect(submission).toMatchObject({ state: 'lead', outcome: 'created', lead_id: lead!.id, spam_score: 0 })
    const details = await api.getLeadSubmission({ id: submission!.id })
    expect(details).toMatchObject({
      values: ada,
      last_utm: { source: 'news', campaign: 'june' },
      consent_version: 1,
      network: from,
    })
    const [change] = (await api.listChanges({ record_id: lead!.id } as never)).items as {
      principal: object
      via: string
    }[]
    expect(change).toMatchObject({ principal: { kind: 'source', name: 'Website' }, via: 'lead_form' })
  })

  test('that is sent twice with the same token is one submission', async () => {
    const source = await newSource()
    const { token } = await opened(source)
    const all = await Promise.all(Array.from({ length: 4 }, () => submit(source, ada, { kith_token: token })))
    expect(all.every(({ status }) => status === 201)).toBe(true)
    expect((await submit(source, ada, { kith_token: token })).body.state).toBe('accepted')
    await processed(1)
    expect(await leads()).toHaveLength(1)
  })

  test('with other content and the same token is a submission of its own, after a puzzle', async () => {
    const source = await newSource()
    const { token } = await opened(source)
    const bob = { ...ada, first_name: 'Bob', email: 'bob@example.com' }
    expect((await submit(source, ada, { kith_token: token })).body.state).toBe('accepted')
    const { body } = await submit(source, bob, { kith_token: token })
    expect(body.state).toBe('challenge')
    expect(body.token).not.toBe(token)
    const again = { kith_token: body.token, kith_work: await solved(body) }
    for (const _ of [1, 2]) expect((await submit(source, bob, again)).body.state).toBe('accepted')
    expect((await submit(source, ada, { kith_token: token })).body.state).toBe('accepted')
    const emails = (await processed(2)).map(({ email }) => email)
    expect(emails.sort()).toEqual([ada.email, bob.email])
    // One solved puzzle is worth one submission.
    expect((await submit(source, { ...bob, message: 'More' }, again)).body.state).toBe('challenge')
    const { token: fresh } = await opened(source)
    const both = await Promise.all(
      ['one', 'two'].map((message) => submit(source, { ...ada, message }, { kith_token: fresh })),
    )
    await processed(2 + both.filter(({ body }) => body.state === 'accepted').length)
  })

  test('without a script, a corrected form with the same token is asked for once more, and then stored', async () => {
    const source = await newSource()
    const path = `/public/forms/${source.form_id}`
    const kith_token = /name="kith_token" value="([^"]+)"/.exec(await (await get(path)).text())![1]!
    kith.time.now = new Date(kith.time.now.getTime() + 10_000)
    expect((await post(path, { ...ada, kith_token })).status).toBe(303)
    expect((await post(path, { ...ada, kith_token })).status).toBe(303)
    const asked = await (await post(path, { ...ada, message: 'Please write instead', kith_token })).text()
    const hidden = [...asked.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
    expect((await post(path, Object.fromEntries(hidden))).status).toBe(303)
    await processed(2)
  })

  test('opens from links with parameters, and knows the campaign without a script', async () => {
    const source = await newSource()
    const path = `/public/forms/${source.form_id}`
    const page = await get(`${path}?utm_source=news&utm_campaign=june&fbclid=1&gclid=2`)
    expect(page.status).toBe(200)
    const hidden = [...(await page.text()).matchAll(/name="(kith_[^"]+)" value="([^"]*)"/g)]
    const sent = Object.fromEntries(hidden.map(([, name, value]) => [name!, value!.replaceAll('&amp;', '&')]))
    kith.time.now = new Date(kith.time.now.getTime() + 10_000)
    expect((await post(path, { ...ada, ...sent })).status).toBe(303)
    const [submission] = await processed(1)
    const details = await api.getLeadSubmission({ id: submission!.id })
    expect(details.last_utm).toEqual({ source: 'news', campaign: 'june' })
    for (const file of ['script', `${source.form_id}/styles`, `${source.form_id}/thank-you`])
      expect((await get(`/public/forms/${file}?v=1`)).status).toBe(200)
  })

  test('answers the same whether the address is known or not, and shows no name of the company', async () => {
    await api.createRecords({ object: 'organizations', records: [{ name: 'Secret Customer' }] })
    await api.createRecords({ object: 'leads', records: [{ email: ada.email }] })
    await api.createField({
      object: 'leads',
      key: 'partner',
      label: 'Partner',
      type: 'relation',
      to_objects: ['organizations'],
    } as never)
    const source = await newSource({ fields: [{ field: 'email', is_required: true }, { field: 'partner' }] })
    const form = await opened(source)
    expect(form.fields[1]).toMatchObject({ name: 'partner', type: 'text', choices: [] })
    expect(JSON.stringify(form)).not.toContain('Secret')
    const answers = []
    for (const values of [
      { email: ada.email, partner: 'Secret Customer' },
      { email: 'new@example.com', partner: 'None' },
    ]) {
      const { token } = await opened(source)
      answers.push((await submit(source, values, { kith_token: token })).body)
    }
    expect(answers[0]).toEqual(answers[1])
    const items = await processed(2)
    expect(items.map(({ outcome }) => outcome).sort()).toEqual(['created', 'updated'])
    expect(items[0]!.reason).toContain('Left out: Partner')
  })

  test('can only be used by its own sites, and its address only adds submissions', async () => {
    const source = await newSource()
    const path = `/public/forms/${source.form_id}`
    const evil = { origin: 'https://evil.example' }
    for (const answer of [
      await get(`${path}/description`, evil),
      await post(`${path}/submissions`, ada, evil),
      await post(path, ada, evil),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.headers.get('access-control-allow-origin')).toBe(null)
    }
    const page = await get(path)
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${site}`)
    const wildcard = 'https://*.acme.example'
    await expect(api.updateLeadSource({ id: source.id, allowed_origins: [wildcard] })).rejects.toThrow(/Wildcards/)
    // As an earlier version stored it.
    await sql`update lead_sources set settings = jsonb_set(settings, '{allowed_origins}', ${JSON.stringify([site, wildcard])}::jsonb)
      where company_id = ${admin.company_id} and id = ${source.id}`.execute(kith.db)
    expect((await get(path)).headers.get('content-security-policy')).not.toContain('*')
    for (const other of ['/public/forms/x/description', `/public/forms/${'A'.repeat(43)}/description`])
      expect((await get(other, { origin: site })).status).toBe(404)
    await api.updateLeadSource({ id: source.id, is_active: false })
    expect((await get(`${path}/description`, { origin: site })).status).toBe(404)
    expect(await (await get(path)).text()).toContain('This form is closed.')
    expect((await post(path, ada, { origin: site })).status).toBe(404)
  })

  test('without a script goes to the thank-you page, or to an address on its list', async () => {
    const source = await newSource({
      fields: [{ field: 'message', step: 2 }, { field: 'email' }, { field: 'first_name' }, { field: 'last_name' }],
      step_titles: ['About you', 'Your message'],
      look: { accent: '#be185d' },
    })
    const path = `/public/forms/${source.form_id}`
    const html = await (await get(path)).text()
    expect(html).toMatch(/<h2>About you.*name="email".*<h2>Your message.*name="message"/s)
    const stylesIn = (page: string) => /href="([^"]+\/styles\?[^"]+)"/.exec(page)![1]!
    const styles = await get(stylesIn(html))
    expect([styles.headers.get('content-type'), await styles.text()]).toEqual([
      'text/css; charset=utf-8',
      expect.stringContaining('background: #be185d; color: #fff'),
    ])
    expect(styles.headers.get('cache-control')).toBe('public, max-age=31536000')
    await api.updateLeadSource({ id: source.id, look: { accent: '#0e7490' } })
    const changed = stylesIn(await (await get(path)).text())
    expect(changed, 'a changed look has another address').not.toBe(stylesIn(html))
    expect(await (await get(changed)).text()).toContain('background: #0e7490')
    for (const earlier of [stylesIn(html), `${path}/styles`])
      expect((await get(earlier)).headers.get('cache-control')).toBe('public, max-age=60')
    const token = /name="kith_token" value="([^"]+)"/.exec(html)![1]!
    kith.time.now = new Date(kith.time.now.getTime() + 10_000)
    const wrong = await post(path, { email: 'no address', kith_token: token })
    expect([wrong.status, await wrong.text()]).toEqual([200, expect.stringContaining('value="no address"')])
    const sent = await post(path, { ...ada, kith_token: token })
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}/thank-you`])
    expect(await (await get(`${path}/thank-you`)).text()).toContain('Thank you')
    await expect(
      api.updateLeadSource({ id: source.id, redirect_url: 'https://acme.example/thanks' }),
    ).rejects.toMatchObject({
      problem: { status: 422 },
    })
    const redirect_url = 'https://acme.example/thanks'
    await api.updateLeadSource({ id: source.id, redirect_url, redirect_urls: [redirect_url] })
    const plain = await post(path, { ...ada, email: 'b@example.com' }, { origin: site })
    expect([plain.status, plain.headers.get('location')]).toEqual([303, redirect_url])
    expect((await processed(2)).map(({ via }) => via).sort()).toEqual(['html', 'page'])
  })

  test('asks to confirm the address with a button, once', async () => {
    const source = await newSource({ double_opt_in: true })
    await sendAs(source, ada)
    const mail = await soon(async () => {
      const found = smtp.received.find(
        ({ recipients, text }) => recipients[0] === ada.email && text?.includes('/public/confirmations/'),
      )
      expect(found).toBeDefined()
      return found!
    })
    const link = new URL(/https:\/\/\S+\/public\/confirmations\/[\w-]+/.exec(mail.text!)![0]).pathname
    for (const _ of [1, 2]) expect(await (await get(link)).text()).toContain('<button type="submit">')
    expect(await leads()).toEqual([])
    expect((await post(link, {})).status).toBe(200)
    await processed(1)
    expect((await post(link, {})).status).toBe(404)
    expect((await get(link)).status).toBe(404)
    expect(await leads()).toHaveLength(1)
    expect((await api.getLeadSubmission({ id: (await processed(1))[0]!.id })).confirmed_at).not.toBe(null)
  })

  test('names itself when it assigns a lead, also to its owner', async () => {
    await sendAs(await newSource(), { email: `${from}@example.com` })
    await soon(async () => {
      const { items } = await api.listNotifications({})
      const told = items.find(({ kind }) => kind === 'record_assigned')
      expect(told).toMatchObject({ actor_name: null, text: expect.stringMatching(/^“Website” assigned “.+” to you$/) })
    })
  })

  test('answers automatically once a day, and never a program or someone who opted out', async () => {
    const colleague = await kith.given.user(admin)
    const source = await newSource({
      autoresponse: { subject: 'We got it', text: 'Thank you.' },
      duplicates: 'create',
      notify_user_ids: [colleague.user_id],
    })
    const mails = (to: string) =>
      smtp.received.filter((mail) => mail.recipients[0] === to && mail.subject === 'We got it')
    const email = `${from}@example.com`
    await sendAs(source, { email, message: 'Call me' })
    await soon(async () => {
      const mail = smtp.received.find(({ recipients }) => recipients[0] === colleague.email)
      expect(mail?.text).toMatch(new RegExp(`Email: ${email}.*Message: Call me.*Owner: Ada Admin`, 's'))
    })
    await sendAs(source, { email })
    await sendAs(source, { email: `no-reply+${from}@example.com` })
    const optedOut = `out-${from}@example.com`
    await api.createRecords({ object: 'people', records: [{ emails: [optedOut.toUpperCase()], do_not_contact: true }] })
    await sendAs(source, { email: optedOut })
    await processed(4)
    await soon(async () => expect(mails(email)).toHaveLength(1))
    for (const { id: submission_id, lead_id, source_id } of await processed(4)) {
      const payload = { submission_id, source_id, lead_id: lead_id! }
      await worker.run('reply_to_lead', { company_id: admin.company_id, payload })
    }
    expect(mails(email)).toHaveLength(1)
    expect(mails(optedOut)).toEqual([])
    expect(mails(`no-reply+${from}@example.com`)).toEqual([])
    expect(mails(email)[0]!.headers.get('auto-submitted')).toBe('auto-generated')
    const logged = (await api.listRecords({ object: 'activities' })).records
    expect(logged).toMatchObject([{ kind: 'email', direction: 'outgoing', body: expect.stringContaining('We got it') }])
    const about = (logged[0]!.about as { id: string }[])[0]!.id
    const answered = (await leads()).find(({ id }) => id === about)!
    expect(answered).toMatchObject({ email })
    expect(answered.first_response_at ?? null).toBe(null)
    const off = { subject: 'We got it', text: 'Thank you.', is_on: false }
    expect((await api.updateLeadSource({ id: source.id, autoresponse: off })).autoresponse).toEqual(off)
  })
})

describe('spam', () => {
  /** As a visitor from a network of their own, who solves the puzzle if there is one. */
  async function sendFrom(
    source: Source,
    values: Record<string, string>,
    { seconds = 10, token = undefined as string | undefined, filled = '' } = {},
  ) {
    from = `198.18.${Math.floor(++network / 250)}.${(network % 250) + 1}`
    const form = await opened(source, seconds)
    const all = filled ? { ...values, [form.honeypot]: filled } : values
    const { body } = await submit(source, all, { kith_token: token ?? form.token })
    if (body.state === 'accepted') return
    const again = { kith_token: body.token, kith_work: await solved(body) }
    expect((await submit(source, all, again)).body.state).toBe('accepted')
  }

  test('honest people are leads, whatever they write and however they send it', async () => {
    const source = await newSource({
      fields: ['first_name', 'last_name', 'email', 'company_name', 'message'].map((field) => ({ field })),
    })
    const messages = [
      'Hi',
      'Please call me back tomorrow after 5 pm, thank you very much.',
      'www.acme.com is our site',
      ...['See https://a.example and https://b.example', 'Angstschweißtropfen auf Straßenkreuzungen'],
      'Do you sell the iPhoneProMax or the MacBookAir?',
      'Wir suchen ein CRM für 20 Leute. Ab wann?',
      '',
      ...[`I am interested in ${site}/houses/1`, 'See https://docs.example.com/d/xJkQwPzRtYbVnMc/edit'],
    ]
    // These solve a puzzle, which takes seconds on a busy machine.
    const hastyOnes = sized(2, messages.length)
    for (const [i, message] of messages.entries()) {
      const person = { first_name: 'Ada', last_name: "O'Brien-Szczepański", email: `h${i}@example.com`, message }
      await sendFrom(source, { ...person, company_name: 'www.acme.com' })
      if (i >= hastyOnes) continue
      const hasty = { ...person, email: `f${i}@example.com`, company_name: 'McDonald GmbH & Co. KG' }
      if (i % 2) await sendFrom(source, hasty, { seconds: 1 })
      else await sendFrom(source, hasty, { filled: 'Acme' })
    }
    await processed(messages.length + hastyOnes)
  }, 180_000)

  test('what is clearly spam stays spam when a script solves the puzzle', async () => {
    const source = await newSource()
    const links = (count: number) => Array.from({ length: count }, (_, i) => `http://x${i}.example`).join(' ')
    await sendFrom(source, { ...ada, message: links(50) }, { seconds: 2 })
    await sendFrom(source, { ...ada, last_name: 'Visit https://win.example' })
    await sendFrom(source, { ...ada, first_name: 'zlDNjXQUDGkNBFi', message: 'RNvQpYzXtLwK' }, { filled: 'x' })
    await sendFrom(source, { ...ada, message: 'hGdRtYqWzXcVb' }, { seconds: 1 })
    await processed(4, 'spam')
    expect(await leads()).toEqual([])
  })

  test('the same text from many networks is a sign of spam, and spam if it contains a link', async () => {
    const source = await newSource()
    const advert = 'We place your company on the first page of every search, see https://win.example'
    for (let i = 0; i < 8; i++) await sendFrom(source, { email: `spam${i}@example.com`, message: advert })
    await processed(5, 'spam')
    const usual = 'I am interested in this offer. Please send me more information.'
    for (let i = 0; i < 5; i++) await sendFrom(source, { email: `lead${i}@example.com`, message: usual })
    const items = await processed(8)
    const repeated = items.filter(({ spam_reasons }) => spam_reasons.join().includes('several networks'))
    expect(repeated).toHaveLength(2)
    await sendFrom(source, { email: 'other@example.com', message: usual.replace('offer', 'house') })
    await processed(9)
  })

  test('a token that is forged, altered or of another form stays a sign after the puzzle', async () => {
    const source = await newSource()
    const { token } = await opened(source)
    const { token: foreign } = await opened(await newSource())
    const altered = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
    for (const one of ['bm90IG91cnM', altered, foreign]) await sendFrom(source, ada, { token: one })
    for (const { spam_reasons, spam_score } of await processed(3)) {
      expect(spam_reasons).toEqual(['Its token is not valid'])
      expect(spam_score).toBe(60)
    }
  })

  test('a form that a password manager filled in is a lead, after the page has solved a puzzle', async () => {
    const source = await newSource()
    const { token, honeypot } = await opened(source, 1)
    const values = { ...ada, [honeypot]: 'Analytical Engines' }
    const { body } = await submit(source, values, { kith_token: token })
    expect(body.state).toBe('challenge')
    const wrong = btoa(JSON.stringify({ ...body.challenge, number: -1 }))
    expect((await submit(source, values, { kith_token: body.token, kith_work: wrong })).body.state).toBe('challenge')
    const kith_work = await solved(body)
    expect((await submit(source, values, { kith_token: body.token, kith_work })).body.state).toBe('accepted')
    const [submission] = await processed(1)
    expect(submission).toMatchObject({
      spam_score: 90,
      spam_reasons: [expect.stringContaining('hidden field'), expect.stringContaining('3 seconds')],
    })
    // The puzzle belongs to its token, which is used up.
    const { token: other } = await opened(source, 1)
    expect((await submit(source, values, { kith_token: other, kith_work })).body.state).toBe('challenge')
  })

  test('without a script, a second button takes the place of the puzzle', async () => {
    const source = await newSource()
    const path = `/public/forms/${source.form_id}`
    const asked = await (
      await post(path, { ...ada, message: 'see http://a.example http://b.example http://c.example' })
    ).text()
    expect(asked).toContain('Please confirm')
    const hidden = [...asked.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
    expect((await post(path, Object.fromEntries(hidden))).status).toBe(303)
    await processed(1)
  })

  test('the worst is answered like any other, kept with its reasons, fires nothing, and is a lead with one call', async () => {
    const source = await newSource()
    const worst = { ...ada, first_name: 'https://spam.example', message: '<a href="http://x.example">buy</a>' }
    const good = await sendAs(source, { ...ada, email: 'other@example.com' })
    const bad = await sendAs(source, worst)
    expect(bad.body).toEqual(good.body)
    await processed(1)
    const [submission] = await processed(1, 'spam')
    expect(submission!.spam_reasons).toContain('A name contains a link')
    expect((await api.listEvents({ type: 'lead.submitted' })).items).toHaveLength(1)
    await api.markNotSpam({ id: submission!.id })
    await processed(2)
    // What passed can be marked by hand, and that can be taken back: the lead goes to the trash and returns.
    const lead_ids = async () => (await leads()).map(({ id }) => id)
    const before = await lead_ids()
    expect((await api.markSpam({ id: submission!.id })).state).toBe('spam')
    expect(await lead_ids()).toHaveLength(1)
    expect((await api.markNotSpam({ id: submission!.id })).state).toBe('lead')
    expect(await lead_ids()).toEqual(before)
    await expect(api.markNotSpam({ id: submission!.id })).rejects.toMatchObject({ problem: { status: 409 } })
    kith.daysLater(31)
    await worker.run('prune', {})
    const kept = await api.getLeadSubmission({ id: submission!.id })
    expect(kept.network).toBe(from.replace(/\.\d+$/, '.0'))
  })

  test('a script that posts a thousand times is held back while a person passes', async () => {
    const source = await newSource()
    const person = await opened(source)
    const robot = await opened(source)
    const statuses: string[] = []
    const began = performance.now()
    for (let i = 0; i < 1000; i++) {
      const token = i ? '' : robot.token
      const { status, body } = await submit(source, { ...ada, email: `r${i}@example.com` }, { kith_token: token })
      statuses.push(status === 201 ? body.state : String(status))
    }
    const count = (what: string) => statuses.filter((one) => one === what).length
    // Of one network, 20 pass at once and one more each second.
    const passed = 20 + (performance.now() - began) / 1000
    expect(count('429')).toBeGreaterThanOrEqual(1000 - Math.ceil(passed))
    from = '198.51.100.77'
    const { status, body } = await submit(source, ada, { kith_token: person.token })
    expect([status, body.state]).toEqual([201, 'accepted'])
    await processed(2)
    expect(await leads()).toHaveLength(2)
  })
})
