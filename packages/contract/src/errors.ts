/** Every error the API answers with: stable key, status (= body `code`), text in both languages. `{name}` is filled from params. */
import type { Lang } from './enums.ts'

interface ErrorRow {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 503
  zh: string
  en: string
}

const row = (status: ErrorRow['status'], zh: string, en: string): ErrorRow => ({ status, zh, en })

export const ERRORS = {
  invalid_input: row(400, '输入有误，请检查标出的字段', 'Some fields are not right, please check those marked'),
  malformed_json: row(400, '请求内容不是有效的 JSON', 'The request body is not valid JSON'),
  malformed_upload: row(400, '上传内容不完整', 'The upload is not complete'),
  captcha_required: row(400, '请输入验证码', 'Please enter the captcha'),
  captcha_wrong: row(400, '验证码错误或已失效', 'The captcha is wrong or has expired'),
  login_wrong: row(401, '账号或密码不正确', 'The account or password is not right'),
  second_factor_required: row(401, '请完成第二步验证', 'Please prove who you are by a second factor'),
  second_factor_wrong: row(401, '验证码不正确或已使用', 'The code is not right or was used already'),
  ticket_expired: row(401, '验证已过期，请重新登录', 'This took too long, please log in again'),
  address_refused: row(
    403,
    '当前 IP 地址不在允许范围内',
    'Your IP address is not among those allowed for this account',
  ),
  oidc_off: row(404, '未启用外部登录', 'Logging in at an outside provider is not set up'),
  oidc_failed: row(401, '外部登录失败，请重试', 'Logging in at the outside provider failed, please try again'),
  oidc_unknown: row(403, '该外部账号未关联任何管理员', 'No administrator here is linked with that account'),
  oidc_not_allowed: row(403, '该外部账号不允许登录', 'That account is not among those allowed to log in'),
  oidc_unreachable: row(503, '无法连接外部登录服务', 'The outside provider cannot be reached'),
  passkey_impossible: row(
    409,
    '通行密钥只能在域名或 localhost 下使用',
    'Passkeys work at a domain name or localhost only',
  ),
  account_disabled: row(403, '账号已被禁用', 'The account is disabled'),
  unauthenticated: row(401, '登录已失效，请重新登录', 'Your login has expired, please log in again'),
  forbidden: row(403, '没有权限执行此操作', 'You are not permitted to do this'),
  feature_off: row(403, '本系统未开通此功能', 'This feature is not switched on in this installation'),
  not_found: row(404, '请求的内容不存在', 'What you asked for does not exist'),
  operation_unknown: row(404, '接口不存在', 'There is no such call'),
  method_not_allowed: row(405, '接口不支持该请求方法', 'This call does not take that method'),
  conflict: row(409, '内容已被他人修改，请刷新后重试', 'It was changed by someone else, please refresh and try again'),
  domain_taken: row(409, '域名已被其他站点使用：{domain}', 'The domain is in use by another site: {domain}'),
  name_taken: row(409, '名称已存在：{name}', 'The name exists already: {name}'),
  in_use: row(409, '正在使用中，无法删除', 'It is in use and cannot be deleted'),
  beyond_rights: row(403, '不能授予或更改超出您自身权限的内容', 'This goes beyond your own rights'),
  super_protected: row(403, '超级管理员不能被停用或删除', 'A super administrator cannot be disabled or deleted'),
  self_protected: row(409, '不能停用、删除或限制自己的账号', 'You cannot disable, delete or limit your own account'),
  last_super: row(409, '至少保留一位启用的超级管理员', 'One enabled super administrator must stay'),
  config_incomplete: row(409, '请先填写并保存配置，再启用', 'Fill in and save the settings first, then enable them'),
  config_always_on: row(409, '此配置不能停用', 'These settings cannot be disabled'),
  too_many_records: row(409, '最多 {max} 条自定义配置', 'There can be {max} records of your own at most'),
  relay_unset: row(409, '尚未配置关联站点', 'No linked site is configured'),
  relay_failed: row(503, '关联站点没有给出可用的答复', 'The linked site gave no usable answer'),
  storage_failed: row(503, '文件存储不可用', 'The file storage is not available'),
  registration_closed: row(403, '本站已关闭注册', 'Registration is closed here'),
  real_name_required: row(403, '请先完成实名认证，再添加域名', 'Verify your real name first, then add domains'),
  phone_required: row(403, '请先绑定手机，再添加域名', 'Bind a mobile number first, then add domains'),
  preview_only: row(403, '角色预览为只读，不能更改', 'This preview of a role is for reading only'),
  owner_only: row(403, '代用户登录时不能执行此操作', 'This is for the account’s owner alone'),
  code_expired: row(400, '链接已失效，请重新打开', 'The link is used or too old, please open it again'),
  not_pending: row(409, '没有待审核的实名信息', 'No real name waits for review'),
  move_refused: row(409, '工单当前状态不允许此操作', 'The work order’s state does not allow this'),
  too_many_orders: row(409, '未关闭的工单最多 {max} 个', 'You can have {max} open work orders at most'),
  too_many_replies: row(409, '快捷回复最多 {max} 条', 'There can be {max} quick replies at most'),
  order_full: row(
    409,
    '此工单已达 {max} 条消息，请提交新工单',
    'This work order has {max} messages, please open a new one',
  ),
  fixed_entry: row(409, '系统内置，不能更改或删除', 'It belongs to the system and cannot be changed or deleted'),
  mail_unset: row(503, '本站尚未设置邮件发送', 'This installation cannot send mail: it is not set up'),
  sms_unset: row(503, '本站尚未设置短信发送', 'This installation cannot send short messages: they are not set up'),
  notice_final: row(409, '此通知不能再次发送', 'This notice cannot be sent again'),
  task_busy: row(409, '任务正在执行或等待执行', 'The task runs or waits already'),
  task_builtin: row(409, '内置任务不能删除，可以暂停', 'A task of the product cannot be deleted, but paused'),
  export_busy: row(
    409,
    '已有 {max} 个导出任务未完成，请稍后再试',
    '{max} exports of yours are still under way, please wait for one to end',
  ),
  export_unready: row(409, '导出尚未完成', 'The export is not finished yet'),
  backup_foreign: row(400, '这不是 Tidegate 的备份文件', 'This is not a backup of Tidegate'),
  backup_damaged: row(400, '备份文件不完整或已损坏', 'The backup is cut off or damaged'),
  backup_newer: row(
    400,
    '备份来自本版本不认识的发行版（{what}），请先升级',
    'The backup is from a release that this one does not know ({what}), please upgrade first',
  ),
  backup_passphrase: row(400, '备份口令不正确', 'The passphrase of the backup is not right'),
  backup_in_use: row(
    409,
    '数据库中已有安装数据，如需覆盖请加 --force',
    'There is an installation in the database; say --force to replace it',
  ),
  backup_other_key: row(
    409,
    '备份使用的主密钥与 TIDEGATE_MASTER_KEY 不同',
    'The backup was made under another master key than TIDEGATE_MASTER_KEY',
  ),
  too_large: row(413, '请求内容过大', 'The request is too large'),
  too_many: row(429, '操作过于频繁，请在 {seconds} 秒后重试', 'Too many tries, please try again in {seconds} s'),
  low_disk: row(503, '服务器磁盘空间不足，暂时不能保存', 'The server is short of disk space and cannot save now'),
  unavailable: row(503, '服务暂不可用，请稍后重试', 'The service is not available now, please try again later'),
  internal: row(500, '服务器内部错误', 'Internal server error'),
} as const satisfies Record<string, ErrorRow>

export type ErrorKey = keyof typeof ERRORS

/** Texts of field errors; `path` says which field. Used by the schemas' `error` as keys and put into words by `fieldText`. */
export const FIELD_ERRORS = {
  required: { zh: '不能为空', en: 'is required' },
  invalid: { zh: '格式不正确', en: 'is not in the right form' },
  domain: { zh: '域名格式错误', en: 'domain format error' },
  ip: { zh: 'IP 格式错误', en: 'IP format error' },
  host: { zh: '请输入域名或 IP 地址', en: 'enter a domain name or an IP address' },
  port: { zh: '端口范围为 1~65535', en: 'the port must be 1~65535' },
  duplicate: { zh: '存在重复项：{value}', en: 'is there twice: {value}' },
  too_long: { zh: '长度不能超过 {max}', en: 'must not be longer than {max}' },
  too_short: { zh: '长度不能少于 {min}', en: 'must not be shorter than {min}' },
  too_big: { zh: '不能大于 {max}', en: 'must not be greater than {max}' },
  too_small: { zh: '不能小于 {min}', en: 'must not be less than {min}' },
  too_many_items: { zh: '最多 {max} 项', en: 'at most {max} entries' },
  too_few_items: { zh: '至少 {min} 项', en: 'at least {min} entries' },
  not_one_of: { zh: '只能是以下之一：{values}', en: 'must be one of {values}' },
  unknown_field: { zh: '未知字段', en: 'is not a known field' },
  purge_url: { zh: '必须以 http:// 或 https:// 开头', en: 'must begin with http:// or https://' },
  purge_wildcard: { zh: '不支持泛域名', en: 'wildcard domains are not possible' },
  purge_dir: { zh: '目录必须以 / 结尾', en: 'a directory must end with /' },
  purge_foreign: { zh: '不是您的域名：{value}', en: 'is not one of your domains: {value}' },
  private_origin: {
    zh: '源站地址为内网或回环地址，不被允许：{value}',
    en: 'the origin is a private or loopback address, which is not allowed: {value}',
  },
  allowed_origin: { zh: '请输入 主机:端口、CIDR 或 *', en: 'enter host:port, a CIDR range or *' },
  main_origin: { zh: '至少需要一个主源站', en: 'at least one main origin is needed' },
  certificate: { zh: '证书无法解析', en: 'the certificate cannot be read' },
  taken: { zh: '已被使用：{value}', en: 'is in use already: {value}' },
  private_key: { zh: '私钥无法解析', en: 'the private key cannot be read' },
  key_mismatch: { zh: '证书与私钥不匹配', en: 'the certificate and the key do not belong together' },
  certificate_expired: { zh: '证书已过期', en: 'the certificate has expired' },
  password_form: { zh: '密码为 4~32 位，不能包含中文', en: 'a password has 4 to 32 characters and no Chinese ones' },
  password_policy: {
    zh: '密码至少 {min} 位，并包含大写字母、小写字母、数字、符号中的 {classes} 种',
    en: 'a password needs {min} characters and {classes} of: capitals, small letters, digits, signs',
  },
  code_wrong: { zh: '验证码错误或已失效', en: 'the code is wrong or has expired' },
  code_six: { zh: '请输入 6 位验证码', en: 'enter the six digits of the code' },
  own_address: { zh: '必须包含您当前的地址：{value}', en: 'your own present address must be among them: {value}' },
  scope: { zh: '您没有此权限：{value}', en: 'is not a permission of yours: {value}' },
  in_past: { zh: '必须晚于现在', en: 'must be later than now' },
  password_wrong: { zh: '原密码不正确', en: 'is not your present password' },
  mail_or_mobile: { zh: '请输入邮箱或手机号', en: 'enter a mail address or a mobile number' },
  id_card: { zh: '身份证号格式错误', en: 'ID card number format error' },
  user_unknown: { zh: '用户不存在：{value}', en: 'there is no such user: {value}' },
  expire_before: { zh: '结束时间必须晚于发布时间', en: 'the end must be later than the beginning' },
  menu_level: { zh: '菜单最多三级', en: 'the menu has three levels at most' },
  menu_parent: { zh: '不能放在此处', en: 'cannot stand there' },
  screen_missing: { zh: '页面尚不存在，不能启用', en: 'its screen does not exist yet, so it cannot be switched on' },
  name_form: {
    zh: '名称为 4~32 位字母、数字或 @ . _ -',
    en: 'a name has 4 to 32 letters, digits or @ . _ -',
  },
  param_key: {
    zh: '2~64 位字母、数字或 . _ -，以字母开头',
    en: 'has 2 to 64 letters, digits or . _ - and begins with a letter',
  },
  json: { zh: '不是有效的 JSON', en: 'is not valid JSON' },
  step: { zh: '必须是 {step} 的倍数', en: 'must be a multiple of {step}' },
  port_list: { zh: "端口范围为 1~65535，多个端口以 '|' 分隔", en: "ports are 1~65535, separated by '|'" },
  upload_path: { zh: '请上传图片', en: 'upload an image' },
  api_root_path: { zh: '必须以 / 开头和结尾', en: 'must begin and end with /' },
  time_zone: { zh: '未知时区', en: 'is not a known time zone' },
  image_type: { zh: '只支持 {types} 图片', en: 'only {types} images are possible' },
  image_size: { zh: '图片不能超过 {max}', en: 'the image must not be larger than {max}' },
  relay_path: { zh: '只能是站内路径', en: 'must be a path below the linked site' },
  email: { zh: '邮箱格式错误', en: 'is not an e-mail address' },
  phone: { zh: '手机号格式错误', en: 'is not a phone number' },
  web_address: { zh: '必须以 http:// 或 https:// 开头', en: 'must begin with http:// or https://' },
  url: {
    zh: 'URL 必须以 http://、https:// 或 ftp:// 开头',
    en: 'a URL must begin with http://, https:// or ftp://',
  },
  one_line: { zh: '只能是一行文字', en: 'must be one line of text' },
  unknown_variable: { zh: '没有这个变量：{value}', en: 'there is no variable {value}' },
  private_address: { zh: '不允许内网或回环地址', en: 'private and loopback addresses are not allowed' },
  private_chat: { zh: '请输入您与机器人私聊的数字编号', en: 'enter the number of your private chat with the bot' },
  reply_shortcut: { zh: '1~20 位小写字母、数字或 _ -', en: 'has 1 to 20 small letters, digits or _ -' },
  smtp_host_empty: { zh: 'SMTP 服务器不能为空', en: 'the SMTP server cannot be empty' },
  mail_sender_empty: { zh: '发件邮箱不能为空', en: 'the sender mailbox cannot be empty' },
  mail_password_empty: { zh: '授权密码不能为空', en: 'the authorization password cannot be empty' },
  mail_port_empty: { zh: '端口不能为空', en: 'the port cannot be empty' },
  sms_provider_empty: { zh: '请选择短信服务商', en: 'select an SMS provider' },
  sms_sdkappid_empty: { zh: 'sdkAppId 不能为空', en: 'sdkAppId cannot be empty' },
  sms_secretid_empty: { zh: 'secretId 不能为空', en: 'secretId cannot be empty' },
  sms_secretkey_empty: { zh: 'secretKey 不能为空', en: 'secretKey cannot be empty' },
  sms_signname_empty: { zh: '签名不能为空', en: 'the signature cannot be empty' },
  sms_api_addr_empty: { zh: 'API ADDR 不能为空', en: 'API ADDR cannot be empty' },
  sms_username_empty: { zh: '用户名不能为空', en: 'the username cannot be empty' },
  cron: {
    zh: 'Cron 表达式有误：须为五段（分 时 日 月 周）',
    en: 'is not a cron expression: it has five parts (minute, hour, day, month, weekday)',
  },
  cron_never: { zh: '该表达式永远不会到期', en: 'never comes due' },
  sms_api_key_empty: { zh: 'API KEY 不能为空', en: 'API KEY cannot be empty' },
} as const
export type FieldErrorKey = keyof typeof FIELD_ERRORS

type Params = Record<string, string | number | undefined>
const fill = (text: string, params: Params = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (params[name] === undefined ? whole : String(params[name])))

/** The text of an error in the caller's language. */
export const errorText = (key: ErrorKey, lang: Lang, params?: Params) => fill(ERRORS[key][lang], params)

/** The text of a field error in the caller's language. */
export const fieldText = (key: FieldErrorKey, lang: Lang, params?: Params) => fill(FIELD_ERRORS[key][lang], params)
