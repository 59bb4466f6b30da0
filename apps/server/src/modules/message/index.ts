/** Messages and announcements. */
import type { Caller, Handlers } from '../../platform/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Db, Queryable } from '../../platform/db.ts'
import type { Part } from '../../platform/part.ts'
import { audit } from '../audit/index.ts'
import { listManaged, listNotices, messageInfo, uploadsInUse } from './list.ts'
import { countUnread, readerOf } from './visible.ts'
import { type Delivery, deleteMessages, deliver, markRead, saveMessage } from './write.ts'

type Ids =
  | 'message.list'
  | 'message.info'
  | 'message.save'
  | 'message.delete'
  | 'message.notices'
  | 'message.read'
  | 'message.unread'

export interface MessageModule extends Part {
  handlers: Handlers<Ids>
  /** Puts a message of the system into a customer's list. */
  deliver(tx: Queryable, delivery: Delivery): Promise<void>
  /** Of these uploads, those that a message shows. */
  uploadsInUse(names: readonly string[]): Promise<ReadonlySet<string>>
}

const manages = (caller: Caller) => caller.kind === 'admin' && caller.permissions.has('account:message:save')

export const createMessageModule = ({ db, clock }: { db: Db; clock: Clock }): MessageModule => {
  const now = () => new Date(clock.now())
  const unread = (caller: Caller, on: Queryable = db) => countUnread(on, readerOf(caller), now())
  return {
    name: 'message',
    handlers: {
      'message.list': async (input, caller) => {
        const whole = manages(caller) && input.drawer !== 1
        return {
          ...(await listManaged(db, input, readerOf(caller), now(), whole)),
          unread: await unread(caller),
        }
      },
      'message.info': ({ id }, caller) => messageInfo(db, id, readerOf(caller), now(), manages(caller)),
      'message.save': async (input, caller) => ({
        id: await db.transaction((tx) => saveMessage(tx, input, caller, now())),
      }),
      'message.delete': async ({ ids }, caller) => {
        await db.transaction((tx) => deleteMessages(tx, ids, caller))
        return {}
      },
      'message.notices': async (input, caller) => ({
        ...(await listNotices(db, input, readerOf(caller), now())),
        unread: await unread(caller),
      }),
      'message.read': ({ ids }, caller) =>
        db.transaction(async (tx) => {
          await markRead(tx, readerOf(caller), ids ?? null, now())
          await audit(tx, caller, { action: 'message.read', target: ids ? `message ${ids.join(', ')}` : 'message all' })
          return { unread: await unread(caller, tx) }
        }),
      'message.unread': async (_input, caller) => ({ unread: await unread(caller) }),
    },
    deliver: (tx, delivery) => deliver(tx, delivery, now()),
    uploadsInUse: (names) => uploadsInUse(db, names),
  }
}
