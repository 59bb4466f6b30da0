/** Roles, administrators, menus, the log. */
import { PASSWORDS, type Steps } from '../walk.ts'

export const accounts: Steps = ({ got, keepId }) => {
  const menu = () => ({
    url: '/walk',
    type: 0,
    sort: 1,
    enabled: false,
    consoles: ['admin'],
    meta: { title: { zh: '路', en: 'Walk' } },
  })
  return [
    { id: 'role.save', input: () => ({ name: 'walkers' }), trace: 'after', keep: keepId('role') },
    { id: 'role.update', input: () => ({ id: got.role, name: 'walkers', description: 'on foot' }), trace: 'both' },
    { id: 'role.list' },
    {
      id: 'admin.save',
      input: () => ({ username: 'walker', password: PASSWORDS.third, roleIds: [got.role] }),
      trace: 'after',
      keep: keepId('admin'),
    },
    { id: 'admin.update', input: () => ({ id: got.admin, username: 'walker', roleIds: [] }), trace: 'both' },
    {
      id: 'admin.resetPassword',
      input: () => ({ id: got.admin, newPassword: `${PASSWORDS.third}x` }),
      trace: 'none',
    },
    { id: 'admin.list' },
    { id: 'admin.options' },
    { id: 'admin.delete', input: () => ({ ids: [got.admin] }), trace: 'before' },
    { id: 'role.delete', input: () => ({ ids: [got.role] }), trace: 'before' },
    { id: 'menu.list' },
    { id: 'menu.allPerms' },
    { id: 'menu.save', input: menu, trace: 'after', keep: keepId('menu') },
    { id: 'menu.update', input: () => ({ ...menu(), id: got.menu, sort: 2 }), trace: 'both' },
    { id: 'menu.delete', input: () => ({ id: got.menu }), trace: 'before' },
    { id: 'audit.list' },
    { id: 'audit.info', input: () => ({ id: 1 }) },
    { id: 'audit.filters' },
  ]
}
