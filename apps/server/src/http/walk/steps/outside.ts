/** What stands in for WeChat and the identity API: logging in by a scan, linking, a real name compared. */
import { ADMIN_PASSWORD } from '../../../testing/app.ts'
import { WECHAT_APP as APP, type Body, type Steps } from '../walk.ts'

export const outside: Steps = ({ got, secret, elsewhere, wechat }) => {
  const held = { ticket: '', url: '' }
  const keep = ({ body }: { body: Body }) => {
    held.ticket = String(body.ticket)
    held.url = String(body.url)
  }
  const back = async () => ({ ticket: held.ticket, query: await wechat().scan(held.url, 'alice') })
  return [
    {
      id: 'config.save',
      input: () => ({
        paramKey: 'wechat_config',
        paramValue: JSON.stringify({ appid: APP.appid, appSecret: APP.secret }),
        status: 1,
      }),
      trace: 'after',
      keep: () => secret(APP.secret, null),
    },
    { id: 'wechat.setup' },
    { id: 'wechat.link', as: 'user', input: () => ({ password: ADMIN_PASSWORD }), keep },
    { id: 'wechat.linkFinish', as: 'user', input: back, trace: 'after' },
    { id: 'wechat.info', as: 'user' },
    { id: 'auth.wechatStart', keep },
    {
      id: 'auth.wechatFinish',
      as: 'user',
      input: back,
      trace: 'none',
      keep: ({ body }) => secret(String(body.token), 'auth.wechatFinish'),
    },
    { id: 'wechat.unlink', as: 'user', input: () => ({ password: ADMIN_PASSWORD }), trace: 'before' },
    { id: 'wechat.link', as: 'user', input: () => ({ password: ADMIN_PASSWORD }), keep },
    { id: 'wechat.linkFinish', as: 'user', input: back, trace: 'after' },
    {
      id: 'account.info',
      as: 'user',
      keep: ({ body }) => {
        got.linked = (body.user as { userId: number }).userId
      },
    },
    { id: 'userSecurity.wechatUnlink', input: () => ({ id: got.linked }), trace: 'before' },
    {
      id: 'realName.test',
      input: () => ({
        realName: '李四',
        idCard: '440524188001010014',
        config: { provider: 'http', url: elsewhere(), appCode: 'walking-app-code' },
      }),
      trace: 'after',
      keep: () => {
        secret('walking-app-code', null)
        secret('440524188001010014', null)
      },
    },
  ]
}
