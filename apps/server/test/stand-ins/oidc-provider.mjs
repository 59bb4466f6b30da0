/** An OpenID provider that is not ours (npm oidc-provider), in a process of its own. Arguments: redirect address, client secret. Prints its issuer. */
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const [redirect, secret] = process.argv.slice(2)
const server = createServer()
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`
  const provider = new Provider(issuer, {
    clients: [
      { client_id: 'tidegate', client_secret: secret, redirect_uris: [redirect], grant_types: ['authorization_code'] },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: `${id}.name`, groups: id === 'stranger' ? ['guests'] : ['staff'] }),
    }),
  })
  server.on('request', provider.callback())
  process.stdout.write(`${issuer}\n`)
})
process.on('disconnect', () => process.exit(0))
