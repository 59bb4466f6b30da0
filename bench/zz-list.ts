import { siteSettings } from '@tidegate/contract/operations/site'
import { openPlane } from '../apps/server/src/testing/plane.ts'
import { insertSites, startCluster, vacuum } from './lib/plane.ts'
const end = await startCluster()
const plane = await openPlane({ roles: ['api'] })
await insertSites(plane.database.pool, 1_000_000, siteSettings.parse({}))
await vacuum(plane.data.ownerUrl)
console.log('READY', plane.data.ownerUrl)
await new Promise((r) => setTimeout(r, 900_000))
await plane.close(); await end()
