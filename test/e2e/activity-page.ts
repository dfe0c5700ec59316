// What the tests of agent activity share.
import { testWeb } from '../browser.ts'

export async function testActivity() {
  const web = await testWeb()
  const { kith, ada } = web

  /** A company in which an agent has created three people, raised two scores and deleted the third. */
  async function agentAtWork() {
    const { owner: admin, token, api: session } = await ada()
    const { key, value } = await session.createApiKey({ name: 'Nightly run' })
    const agent = kith.withKey(value)
    const { records } = await agent.createRecords({
      object: 'people',
      records: ['Grace', 'Alan', 'Zoë'].map((first_name) => ({ first_name, score: 10 })),
    })
    const [grace, alan, zoe] = records.map(({ id }) => id) as [string, string, string]
    const update = (id: string, values: object) =>
      agent.updateRecords({ object: 'people', records: [{ id, values: values as Record<string, unknown> }] })
    await update(grace, { score: 20, city: 'Bern' })
    await update(alan, { score: 30 })
    await agent.deleteRecords({ object: 'people', ids: [zoe] })
    const score = async (id: string) => (await session.getRecord({ object: 'people', id })).score
    return { admin, token, session, key, grace, alan, zoe, score }
  }
  return { ...web, agentAtWork }
}
