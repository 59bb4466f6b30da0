/** Simulators of the APIs that compare a name with an identity number: each checks our signature and knows one person. */
import { acs3Wrong, type CloudCall, type Received, type Simulator, simulate, tc3Wrong } from './providers.ts'

export interface KnownPerson {
  name: string
  number: string
}

/** What is on record: the person; another name with the number; no such number. */
const found = (person: KnownPerson, name: unknown, number: unknown): 'match' | 'mismatch' | 'none' => {
  if (number !== person.number) return 'none'
  return name === person.name ? 'match' : 'mismatch'
}

const formOf = ({ body, query }: Received): Record<string, string> => ({
  ...query,
  ...Object.fromEntries(new URLSearchParams(body)),
})

const ID2META: CloudCall = {
  action: 'Id2MetaVerify',
  version: '2019-03-07',
  params: ['ParamType', 'IdentifyNum', 'UserName'],
}

/** Alibaba Cloud Id2MetaVerify. Codes given as fates stand in `Code`. */
export const aliyunIdentitySimulator = (id: string, secret: string, person: KnownPerson): Promise<Simulator> => {
  const nonces = new Set<string>()
  return simulate((request, raw) => {
    const form = formOf(request)
    return {
      wrong: acs3Wrong(request, raw, { id, secret, nonces }, ID2META),
      answer: (code) => {
        if (code === 'SignatureDoesNotMatch')
          return {
            status: 400,
            body: JSON.stringify({ Code: code, Message: `signature of ${secret}`, RequestId: 'r' }),
          }
        if (code !== 'ok')
          return {
            status: 200,
            body: JSON.stringify({ Code: code, Message: `refused ${form.IdentifyNum}`, RequestId: 'r' }),
          }
        const BizCode = { match: '1', mismatch: '2', none: '3' }[found(person, form.UserName, form.IdentifyNum)]
        const reply = { RequestId: 'r', Message: 'success', Code: '200', ResultObject: { BizCode } }
        return { status: 200, body: JSON.stringify(reply) }
      },
    }
  })
}

const FACEID = { service: 'faceid', action: 'IdCardVerification', version: '2018-03-01', params: ['IdCard', 'Name'] }

/** Tencent Cloud IdCardVerification. Codes given as fates stand in `Result`. */
export const tencentIdentitySimulator = (id: string, key: string, person: KnownPerson): Promise<Simulator> =>
  simulate((request) => ({
    wrong: tc3Wrong(request, { id, key }, FACEID),
    answer: (code) => {
      const reply = (Response: object) => ({ status: 200, body: JSON.stringify({ Response }) })
      if (code === 'SignatureDoesNotMatch')
        return reply({
          Error: { Code: 'AuthFailure.SignatureFailure', Message: `signature of ${key}` },
          RequestId: 'r',
        })
      const form = JSON.parse(request.body) as Record<string, unknown>
      const results = { match: '0', mismatch: '-1', none: '-5' }
      const Result = code === 'ok' ? results[found(person, form.Name, form.IdCard)] : code
      return reply({ Result, Description: `result ${Result} of ${String(form.IdCard)}`, RequestId: 'r' })
    },
  }))

/** An API of a cloud market: `Authorization: APPCODE`, the result in `data.result`. */
export const marketIdentitySimulator = (appCode: string, person: KnownPerson): Promise<Simulator> =>
  simulate((request) => {
    const form = formOf(request)
    return {
      wrong: request.headers.authorization === `APPCODE ${appCode}` ? null : 'the app code',
      answer: (code) => {
        if (code === 'SignatureDoesNotMatch') return { status: 403, body: '{"message":"Unauthorized"}' }
        if (code !== 'ok') return { status: 200, body: JSON.stringify({ code, message: 'no result' }) }
        const result = { match: 1, mismatch: 2, none: 3 }[found(person, form.name, form.idcard)]
        return { status: 200, body: JSON.stringify({ code: 200, data: { result, number: form.idcard } }) }
      },
    }
  })
