/** Whether the analytics store answers a query; never throws. */
const PATIENCE_MS = 3_000

export const pingAnalytics = async (address: string): Promise<boolean> => {
  const url = new URL(address)
  const headers: Record<string, string> = {}
  if (url.username) headers['X-ClickHouse-User'] = decodeURIComponent(url.username)
  if (url.password) headers['X-ClickHouse-Key'] = decodeURIComponent(url.password)
  try {
    const target = new URL('/?query=SELECT%201', url.origin)
    const response = await fetch(target, { headers, signal: AbortSignal.timeout(PATIENCE_MS) })
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
