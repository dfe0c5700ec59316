/**
 * The npm command that a Kith command needs to run first, or undefined if everything is installed.
 * The stamp records what was installed and from which lockfile: "runtime HASH" or "all HASH".
 */
export function installPlan({ needsDev = false, stamp = '', lock, hasDevPackages = false }) {
  const [scope, installedFrom] = stamp.split(' ')
  const isCurrent = installedFrom === lock
  if (isCurrent && (scope === 'all' || !needsDev)) return undefined
  const all = needsDev || scope === 'all' || hasDevPackages
  const packages = ['--include=optional', all ? '--include=dev' : '--omit=dev']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Unlike `ci`, `install` only adds missing packages, so a server running from this folder keeps the ones it uses.
  const mode = isCurrent ? ['install', '--no-save'] : ['ci']
  return { args: [...mode, ...packages, ...quiet], stamp: `${all ? 'all' : 'runtime'} ${lock}` }
}
