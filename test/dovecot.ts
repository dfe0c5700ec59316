// A real IMAP server, Debian's Dovecot, in a temporary folder on free ports of the loopback. Clients reach it through a
// proxy of ours, which can cut their connections or let them go silent.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ImapFlow } from 'imapflow'
import { createTransport } from 'nodemailer'
import { afterAll } from 'vitest'
import { isDovecotThere, dovecot as program } from './packages.ts'
import { freePort } from './process.ts'

const isRoot = process.getuid?.() === 0

/**
 * Whether the tests of mailboxes can run. Where Dovecot could not be installed, they are skipped and say so; on a machine
 * that builds releases (CI), they fail instead.
 */
export const hasDovecot = isDovecotThere() || isSkipped()

function isSkipped() {
  const reason = 'Dovecot is missing: install dovecot-imapd and dovecot-lmtpd'
  if (process.env.CI) throw new Error(`The tests of mailboxes cannot run. ${reason}.`)
  process.stdout.write(`Tests of mailboxes are skipped. ${reason}.\n`)
  return false
}

type Settings = {
  /** Passwords by user name. */
  users: Record<string, string>
  tls?: { key: string; cert: string }
  /** Where access tokens are checked: its answer names the user as `sub`. */
  introspection?: string
  /** What it can do, instead of everything. */
  capabilities?: string
}
export type Dovecot = Awaited<ReturnType<typeof startDovecot>>

export async function testDovecot(settings: Settings) {
  const dovecot = await startDovecot(settings)
  afterAll(dovecot.remove)
  return dovecot
}

export async function startDovecot({ users, tls, introspection, capabilities }: Settings) {
  // Dovecot refuses long paths of sockets.
  const folder = mkdtempSync(join(tmpdir(), 'dc-'))
  const ports = { imap: await freePort(), imaps: await freePort(), lmtp: await freePort() }
  const file = (name: string) => join(folder, name)
  const owner = mailOwner()
  chmodSync(folder, 0o755)
  mkdirSync(file('mail'))
  chownSync(file('mail'), owner.uid, owner.gid)
  writeFileSync(
    file('users'),
    Object.entries(users)
      .map(([name, password]) => `${name}:{PLAIN}${password}\n`)
      .join(''),
  )
  if (tls) for (const kind of ['cert', 'key'] as const) writeFileSync(file(kind), tls[kind])
  if (introspection) writeFileSync(file('oauth2'), oauthSettings(introspection))
  writeFileSync(
    file('conf'),
    settingsFor({ folder, ports, owner, hasTls: Boolean(tls), hasOauth: Boolean(introspection), capabilities }),
  )

  let running: { end(): Promise<unknown> } | undefined
  async function start() {
    const child = spawn(program, ['-F', '-c', file('conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (text) => (said += text))
    const ended = once(child, 'exit')
    running = {
      end: async () => {
        child.kill()
        await ended
      },
    }
    for (const port of [ports.imap, ports.lmtp])
      await untilOpen(port, () => {
        if (child.exitCode === null) return
        throw new Error(
          `Dovecot did not start: ${said}${existsSync(file('log')) ? readFileSync(file('log'), 'utf8') : ''}`,
        )
      })
  }
  async function stop() {
    await running?.end()
    running = undefined
  }
  await start()
  const [plain, encrypted] = [await proxyTo(ports.imap), await proxyTo(ports.imaps)]
  const proxies = [plain, encrypted]

  return {
    /** IMAP without encryption or with STARTTLS. */
    port: plain.port,
    /** IMAP with TLS. */
    tlsPort: encrypted.port,
    lmtpPort: ports.lmtp,
    start,
    stop,
    log: () => readFileSync(file('log'), 'utf8'),
    /** Cuts all connections, wherever they are in a command. */
    disconnectAll() {
      for (const proxy of proxies) proxy.cut()
    },
    /** From now on, nothing passes in either direction on connections that are open; new ones work. */
    silenceAll() {
      for (const proxy of proxies) proxy.silence()
    },
    /** From now on, nothing passes any more on a connection that has sent IDLE. Tells whether all have. */
    silenceOnIdle(isWanted: boolean) {
      for (const proxy of proxies) proxy.silenceOnIdle(isWanted)
      return () => proxies.every((proxy) => proxy.isSilent())
    },
    /** Asked about every FETCH of whole messages: the server then refuses it, or the connection ends. */
    breakFetch(decide: Breaking) {
      for (const proxy of proxies) proxy.breakFetch(decide)
    },
    /** What clients have sent since the last call of this. */
    commands: () => proxies.flatMap((proxy) => proxy.commands()),
    connections: () => proxies.reduce((sum, proxy) => sum + proxy.count(), 0),
    /** Delivers a message as a mail server does. */
    deliver: (to: string | string[], source: string | Buffer, from = 'sender@example.com') =>
      deliverTo(ports.lmtp, [to].flat(), source, from),
    /** Another mail program of the same user, not disturbed by the proxy. */
    async client(user: string) {
      const auth = { user, pass: users[user]! }
      const client = new ImapFlow({
        host: '127.0.0.1',
        port: ports.imap,
        secure: false,
        doSTARTTLS: false,
        auth,
        logger: false,
      })
      client.on('error', () => {})
      await client.connect()
      return client
    },
    /** Gives all messages of a folder new UIDs, as after a restored backup of the server. Only while it is stopped. */
    renumber(user: string, path = 'INBOX') {
      const maildir = path === 'INBOX' ? file(`mail/${user}`) : file(`mail/${user}/.${path}`)
      for (const name of globSync('dovecot*', { cwd: maildir })) rmSync(join(maildir, name), { recursive: true })
    },
    async remove() {
      for (const proxy of proxies) proxy.close()
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Root may not own mail. */
function mailOwner() {
  if (!isRoot) {
    const { uid, gid, username } = userInfo()
    return { uid, gid, name: username, group: execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim() }
  }
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .match(/^mail:.*$/m)![0]
    .split(':')
  return { uid: Number(uid), gid: Number(gid), name: 'mail', group: 'mail' }
}

type Layout = {
  folder: string
  ports: { imap: number; imaps: number; lmtp: number }
  owner: ReturnType<typeof mailOwner>
  hasTls: boolean
  hasOauth: boolean
  capabilities: string | undefined
}

const settingsFor = ({ folder, ports, owner, hasTls, hasOauth, capabilities }: Layout) => `
protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
instance_name = ${folder.split('/').at(-1)}
mail_location = maildir:${folder}/mail/%u
first_valid_uid = 1
first_valid_gid = 1
disable_plaintext_auth = no
auth_mechanisms = plain login ${hasOauth ? 'xoauth2 oauthbearer' : ''}
auth_failure_delay = 0
auth_cache_size = 0
mail_max_userip_connections = 100
lmtp_save_to_detail_mailbox = no
${capabilities ? `imap_capability = ${capabilities}` : ''}
recipient_delimiter = +
ssl = ${hasTls ? 'yes' : 'no'}
${hasTls ? `ssl_cert = <${folder}/cert\nssl_key = <${folder}/key\nssl_dh =` : ''}
${isRoot ? '' : asUser(owner.name, owner.group)}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users
}
${hasOauth ? `passdb {\n  driver = oauth2\n  mechanisms = xoauth2 oauthbearer\n  args = ${folder}/oauth2\n}` : ''}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  separator = /
  ${['Sent', 'Archive', 'Drafts', 'Junk', 'Trash'].map((name) => `mailbox ${name} {\n auto = subscribe\n special_use = \\${name}\n}`).join('\n')}
}
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${hasTls ? ports.imaps : 0}
    ssl = yes
  }
}
# Otherwise each wrong password makes all sign-ins slower.
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${ports.lmtp}
  }
}
`

const asUser = (name: string, group: string) => `
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
service anvil {
  chroot =
}
service imap-login {
  chroot =
}
service stats {
  chroot =
}
`

const oauthSettings = (url: string) => `
introspection_mode = post
introspection_url = ${url}
active_attribute = active
active_value = true
username_attribute = sub
`

async function untilOpen(port: number, check: () => void) {
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    check()
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise((resolve) =>
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
    )
    socket.destroy()
    if (isOpen) return
    if (Date.now() > end) throw new Error(`Dovecot does not listen on port ${port}`)
  }
}

/** Whether a FETCH with this UID fails. */
type Breaking = (hasUid: (uid: number) => boolean) => 'refuse' | 'cut' | undefined

async function proxyTo(port: number) {
  let decide: Breaking = () => undefined
  let endsWithIdle = false
  const silent = new Set<Socket>()
  let commands: string[] = []
  const pairs = new Set<[Socket, Socket]>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    for (const socket of pair)
      socket
        .on('error', () => {})
        .on('close', () => {
          pairs.delete(pair)
          for (const other of pair) other.destroy()
        })
    near.pipe(breaking(near)).pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  /** Clients send a command at once, so it is one piece. */
  const breaking = (near: Socket) =>
    new Transform({
      transform(piece, _encoding, done) {
        commands.push(piece.toString('latin1'))
        if (endsWithIdle && / IDLE\r\n$/.test(piece.toString('latin1'))) silent.add(near)
        if (silent.has(near)) return done()
        const [, tag, uids] = /^(\S+) UID FETCH (\S+) .*BODY\.PEEK\[\]/.exec(piece.toString('latin1')) ?? []
        const broken = uids && decide((uid) => hasUid(uids, uid))
        if (broken === 'cut') near.destroy()
        if (broken === 'refuse') near.write(`${tag} NO [SERVERBUG] Internal error occurred.\r\n`)
        done(null, broken ? undefined : piece)
      },
    })
  function cut() {
    for (const socket of [...pairs].flat()) socket.destroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    count: () => pairs.size,
    commands() {
      const sent = commands
      commands = []
      return sent
    },
    cut,
    breakFetch(next: Breaking) {
      decide = next
    },
    silence() {
      for (const [near, far] of pairs) {
        near.unpipe().resume()
        far.unpipe(near).resume()
      }
    },
    silenceOnIdle(isWanted: boolean) {
      endsWithIdle = isWanted
    },
    isSilent: () => [...pairs].every(([near]) => silent.has(near)),
    close() {
      cut()
      server.close()
    },
  }
}

/** `uids`: as in a command, such as 1:3,7. */
const hasUid = (uids: string, uid: number) =>
  uids.split(',').some((range) => {
    const [from, to = from] = range.split(':').map(Number)
    return uid >= from! && uid <= to!
  })

async function deliverTo(port: number, to: string[], source: string | Buffer, from: string) {
  const transport = createTransport({ host: '127.0.0.1', port, lmtp: true, ignoreTLS: true } as object)
  try {
    await transport.sendMail({ envelope: { from, to }, raw: source })
  } finally {
    transport.close()
  }
}
