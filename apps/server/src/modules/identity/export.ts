/** Administrators and roles as files. */
import { type Exportable, exportable } from '../../platform/exportable.ts'
import { listAdmins } from './admin-list.ts'
import { listRoles } from './role.ts'

const SUPER = { zh: '超级管理员', en: 'Super administrator' }

export const adminExport: Exportable = exportable('admin.list', 'admins', listAdmins, [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (a) => a.id },
  { key: 'username', title: { zh: '账号', en: 'Account' }, value: (a) => a.username },
  {
    key: 'roles',
    title: { zh: '角色', en: 'Roles' },
    value: (a, as) => (a.superAdmin ? as.say(SUPER) : a.roles.map((role) => role.name).join(' ')),
  },
  { key: 'enabled', title: { zh: '启用', en: 'Enabled' }, value: (a, as) => as.flag(a.enabled) },
  {
    key: 'unvalidModel',
    title: { zh: '禁用的页面', en: 'Screens taken away' },
    value: (a) => a.unvalidModel.join(' '),
  },
  { key: 'lastLogin', title: { zh: '最后登录', en: 'Last login' }, value: (a, as) => as.time(a.lastLogin) },
  { key: 'lastLoginIp', title: { zh: '最后登录 IP', en: 'Last login from' }, value: (a) => a.lastLoginIp },
  { key: 'passwordTime', title: { zh: '密码修改时间', en: 'Password of' }, value: (a, as) => as.time(a.passwordTime) },
  { key: 'createTime', title: { zh: '创建时间', en: 'Created' }, value: (a, as) => as.time(a.createTime) },
])

export const roleExport: Exportable = exportable('role.list', 'roles', listRoles, [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (r) => r.id },
  { key: 'name', title: { zh: '名称', en: 'Name' }, value: (r, as) => (r.superRole ? as.say(SUPER) : r.name) },
  { key: 'description', title: { zh: '描述', en: 'Description' }, value: (r) => r.description },
  { key: 'permissions', title: { zh: '权限', en: 'Permissions' }, value: (r) => r.permissions.join(' ') },
  { key: 'admins', title: { zh: '管理员数', en: 'Admins' }, value: (r) => r.admins },
])
