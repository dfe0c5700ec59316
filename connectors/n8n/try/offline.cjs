// Loaded into n8n before anything else: it can reach this machine only, whatever its settings say.
const net = require('node:net')

const connect = net.Socket.prototype.connect
const isLocal = (host) => host === undefined || host === 'localhost' || host === '::1' || /^127\./.test(host)

net.Socket.prototype.connect = function connectLocally(...args) {
  const options = [args[0]].flat()[0]
  const host = typeof options === 'object' ? options.host : args[1]
  if (options?.path || isLocal(host)) return connect.apply(this, args)
  process.stderr.write(`offline: refused a connection to ${host}\n`)
  process.nextTick(() => this.destroy(Object.assign(new Error(`No connection to ${host}`), { code: 'ECONNREFUSED' })))
  return this
}
