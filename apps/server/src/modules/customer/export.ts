/** The list of customers as a file. */
import { type Exportable, exportable } from '../../platform/exportable.ts'
import { listCustomers } from './read.ts'

const VERIFIED = {
  none: { zh: '未提交', en: 'not handed in' },
  pending: { zh: '待审核', en: 'waits for review' },
  verified: { zh: '已认证', en: 'verified' },
  rejected: { zh: '已驳回', en: 'rejected' },
}

export const customerExport: Exportable = exportable('customer.list', 'users', listCustomers, [
  { key: 'id', title: { zh: '编号', en: 'Id' }, value: (c) => c.id },
  { key: 'username', title: { zh: '账号', en: 'Account' }, value: (c) => c.username },
  { key: 'enabled', title: { zh: '启用', en: 'Enabled' }, value: (c, as) => as.flag(c.enabled) },
  { key: 'mobile', title: { zh: '手机', en: 'Mobile' }, value: (c) => c.mobile },
  { key: 'email', title: { zh: '邮箱', en: 'Mail' }, value: (c) => c.email },
  { key: 'wechat', title: { zh: '微信', en: 'WeChat' }, value: (c) => c.wechat },
  {
    key: 'verifyStatus',
    title: { zh: '实名', en: 'Real name check' },
    value: (c, as) => as.say(VERIFIED[c.verifyStatus]),
  },
  { key: 'realName', title: { zh: '姓名', en: 'Real name' }, value: (c) => c.realName },
  { key: 'balance', title: { zh: '余额（元）', en: 'Balance (CNY)' }, value: (c) => c.balance / 100 },
  { key: 'sites', title: { zh: '网站数', en: 'Sites' }, value: (c) => c.sites },
  { key: 'lastLogin', title: { zh: '最近登录', en: 'Last login' }, value: (c, as) => as.time(c.lastLogin) },
  { key: 'lastLoginIp', title: { zh: '最近登录 IP', en: 'Last login from' }, value: (c) => c.lastLoginIp },
  { key: 'note', title: { zh: '备注', en: 'Note' }, value: (c) => c.note },
  { key: 'createTime', title: { zh: '注册时间', en: 'Created' }, value: (c, as) => as.time(c.createTime) },
])
