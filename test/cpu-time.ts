/**
 * Seconds of CPU that this thread spends until the work is done. Unlike time on the clock, they are the same on a busy machine.
 */
export async function cpuSeconds(work: () => unknown) {
  const began = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1e6
}
