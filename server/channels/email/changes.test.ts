// A mailbox that was read is not read again: only what changed is asked for, as far as its server can tell.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { hasDovecot, testDovecot } from '../../../test/dovecot.ts'
import { givenFor } from '../../../test/given.ts'
import { givenMailbox, letter, mailboxesIn, soonOr, testMailboxRunner } from '../../../test/mailboxes.ts'
import { waitForProcesses } from '../../../test/patience.ts'
import { folderStates } from '../../inbox/channels/folders.ts'

waitForProcesses()

const address = 'ada@acme.test'
const basic = 'IMAP4rev1 IDLE LIST-EXTENDED LIST-STATUS SPECIAL-USE UIDPLUS MOVE'
const servers = [
  { name: 'that reports all changes', capabilities: undefined, comparesAfterDeletion: false },
  {
    name: 'that reports new messages and flags',
    capabilities: `${basic} ENABLE CONDSTORE`,
    comparesAfterDeletion: true,
  },
  { name: 'that reports nothing', capabilities: basic, comparesAfterDeletion: true },
]
/** A search of the whole folder. */
const isComparison = (command: string) => /UID SEARCH (SINCE|YOUNGER) \S+\r\n/.test(command)

describe.skipIf(!hasDovecot).each(servers)('a server $name', ({ capabilities, comparesAfterDeletion }) => {
  test('is asked for what is new, read or deleted since the last time', async () => {
    const { db } = await testDatabase()
    const given = givenFor(db, () => new Date())
    const dovecot = await testDovecot({ users: { [address]: 'secret' }, ...(capabilities && { capabilities }) })
    const { company_id } = await given.company()
    for (let i = 0; i < 5; i++) await dovecot.deliver(address, letter())
    const box = await givenMailbox(db, { company_id, address, port: dovecot.port, secrets: { password: 'secret' } })
    let aheadMs = 0
    const runner = testMailboxRunner({
      db,
      clock: () => new Date(Date.now() + aheadMs),
    })
    const { synced, places } = mailboxesIn(db)
    await synced(box, 5)
    const unseen = async () => {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from message_places
        where company_id = ${company_id} and is_unseen`.execute(db)
      return rows[0]!.count
    }
    expect(await unseen()).toBe(5)
    const other = await dovecot.client(address)
    await other.mailboxOpen('INBOX')
    // What is still under way after the first sync is over when the next message is here.
    await dovecot.deliver(address, letter())
    await synced(box, 6)
    dovecot.commands()

    await dovecot.deliver(address, letter())
    await synced(box, 7)
    await other.messageFlagsAdd('1:3', ['\\Seen'])
    await soonOr(async () => expect(await unseen()).toBe(4))
    await other.messageFlagsRemove('1', ['\\Seen'])
    await soonOr(async () => expect(await unseen()).toBe(5))
    // Without QRESYNC, what arrives during a look may not add up; then the folder is compared once.
    expect(dovecot.commands().filter(isComparison).length).toBeLessThanOrEqual(comparesAfterDeletion ? 1 : 0)

    await other.messageDelete('1:2')
    await soonOr(async () => expect(await places(box)).toHaveLength(5))
    await dovecot.deliver(address, letter())
    await soonOr(async () => expect(await places(box)).toHaveLength(6))
    if (!comparesAfterDeletion) expect(dovecot.commands().filter(isComparison)).toEqual([])
    await soonOr(async () =>
      expect((await folderStates(db, box))[0]).toMatchObject({ server_count: 6, our_count: 6, faults: 0 }),
    )

    // Once a day, everything is compared.
    dovecot.commands()
    aheadMs = 25 * 60 * 60 * 1000
    await dovecot.deliver(address, letter())
    await soonOr(async () => expect(await places(box)).toHaveLength(7))
    expect(dovecot.commands().filter(isComparison).length).toBeGreaterThan(0)
    await other.logout()
    await runner.stop()
  })
})
