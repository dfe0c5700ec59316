import { describe, expect, test } from 'vitest'
import { testApp } from '../../test/app.ts'

const kith = await testApp()
const { given, withSession } = kith
const newCompany = async () => {
  const admin = await given.company()
  return { admin, api: withSession(await given.session(admin)) }
}
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('a company', () => {
  test('has a currency with rates, a time zone, a language and a first weekday', async () => {
    const { api } = await newCompany()
    const wanted = {
      currency: 'eur',
      time_zone: 'Europe/Berlin',
      language: 'de-DE',
      first_weekday: 'sunday',
      rates: [
        { currency: 'USD', rate: 0.92 },
        { currency: 'CHF', rate: 1.04 },
      ],
    } as const
    const changed = await api.updateCompany({ ...wanted, rates: [...wanted.rates] })
    expect(changed).toMatchObject({ ...wanted, currency: 'EUR', rates: wanted.rates.toReversed() })
    expect(await api.getCompany({})).toEqual(changed)
    const { items } = await api.listChanges({})
    expect(items[0]!.changes[0]!.fields).toMatchObject({ currency: { from: 'USD', to: 'EUR' } })
    await api.updateCompany({ rates: [] })
    expect((await api.getCompany({})).rates).toEqual([])
  })

  test.each([
    [{ currency: 'XXQ' }],
    [{ time_zone: 'Mars/Olympus' }],
    [{ rates: [{ currency: 'EUR', rate: 0 }] }],
    [{ rates: [{ currency: 'USD', rate: 1 }] }],
  ])('refuses %o with an explanation', async (input) => {
    const { api } = await newCompany()
    await expect(api.updateCompany(input)).toBeRefused(422)
  })

  test('keeps its audit log and requests for the configured time', async () => {
    const { api } = await newCompany()
    expect(await api.getCompany({})).toMatchObject({ audit_days: null, request_days: 7, trash_days: 30 })
    expect(await api.updateRetentionSettings({ audit_days: 365, request_days: 30 })).toMatchObject({ audit_days: 365 })
    await expect(api.updateRetentionSettings({ audit_days: 5 })).toBeRefused(422)
  })

  test('lets only Admins set the retention, because older data is permanently deleted', async () => {
    const { admin } = await newCompany()
    const office = withSession(await given.session(await given.user(admin, { grants: ['company.manage'] })))
    await office.updateCompany({ name: 'Acme Ltd' })
    await expect(office.updateRetentionSettings({ trash_days: 1 })).toBeRefused(403)
    await expect(office.updateCompany({ trash_days: 1 } as never)).toBeRefused(400)
  })
})

describe('a picture', () => {
  test('is served as an image to its company only', async () => {
    const { admin, api } = await newCompany()
    const { logo_id } = await api.updateCompanyLogo({ image: png })
    const { picture_id } = await api.updateMyPicture({ image: png })
    for (const id of [logo_id, picture_id]) {
      const cookie = `kith_session=${await given.session(admin)}`
      const answer = await kith.send(`/app/api/pictures/${id}`, { headers: { cookie } })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    }
    const { api: stranger } = await newCompany()
    await expect(stranger.getPicture({ id: logo_id! })).toBeRefused(404)
  })

  test('that is not a picture is refused, and the previous one is kept', async () => {
    const { api } = await newCompany()
    const { picture_id } = await api.updateMyPicture({ image: png })
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')
    await expect(api.updateMyPicture({ image: page })).toBeRefused(422)
    await expect(api.updateMyPicture({ image: 'not base64!' })).toBeRefused(422)
    expect(await api.whoami({})).toMatchObject({ picture_id })
    expect(await api.updateMyPicture({ image: null })).toMatchObject({ picture_id: null })
    await expect(api.getPicture({ id: picture_id! })).toBeRefused(404)
  })
})

test('the audit log can be exported as CSV without formulas', async () => {
  const { admin, api } = await newCompany()
  await api.updateMe({ name: '=HYPERLINK("http://x")' })
  await kith.db
    .insertInto('audit_events')
    .values(
      Array.from({ length: 1500 }, (_, i) => ({
        company_id: admin.company_id,
        id: `01970000-0000-7000-8000-${String(i).padStart(12, '0')}`,
        at: new Date('2025-05-01T00:00:00Z'),
        action: 'session.started',
        door: 'web',
        request_id: `r${i}`,
        data: '{}',
      })),
    )
    .execute()
  const text = await (await api.exportAuditLog({})).text()
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('at,action,actor_name,actor_id,door,api_key_id,target_name,target_id,ip,request_id,data')
  expect(lines.length).toBeGreaterThan(1501)
  expect(text).toContain(`"'=HYPERLINK(""http://x"")"`)
  expect(text).not.toMatch(/(^|,)"?=/m)
  const { items } = await api.listAuditEvents({ action: 'audit.exported' })
  expect(items).toHaveLength(1)
  const times = { since: '2025-05-01', until: '-30d', action: 'session.started' as const }
  expect((await api.listAuditEvents({ ...times, limit: 2 })).items).toHaveLength(2)
  expect((await api.listAuditEvents({ ...times, until: '2025-05-01' })).items).toEqual([])
})

test('an exported audit log has the day in its name, as calendars of the company show it', async () => {
  const { admin, api } = await newCompany()
  await api.updateCompany({ time_zone: 'Pacific/Kiritimati' })
  const headers = { 'x-api-key': await given.key(admin) }
  const { headers: answered } = await kith.send('/api/v1/audit-events/export', { headers })
  expect(answered.get('content-disposition')).toContain('audit-log-2026-06-16.csv')
})
