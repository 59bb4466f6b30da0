/**
 * The page's policy forbids making code from text. zod would try, and the try alone is a violation that the browser reports; told beforehand,
 * it does not. By zod's global object, so that the login does not carry zod.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
