/**
 * What npm has to install before a command can run; undefined when it is already there.
 * The stamp records what was installed and from which lockfile: "runtime HASH" or "all HASH".
 */
export function installPlan({ needsDev = false, stamp = '', lock, hasDevPackages = false }) {
  const [scope, installedFrom] = stamp.split(' ')
  const isCurrent = installedFrom === lock
  if (isCurrent && (scope === 'all' || !needsDev)) return undefined
  const all = needsDev || scope === 'all' || hasDevPackages
  const packages = ['--include=optional', all ? '--include=dev' : '--omit=dev']
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  // Unlike `ci`, `install` only adds what is missing, so a server that runs from this folder keeps its packages.
  const mode = isCurrent ? ['install', '--no-save'] : ['ci']
  return { args: [...mode, ...packages, ...quiet], stamp: `${all ? 'all' : 'runtime'} ${lock}` }
}
