/** 32 random hex digits. randomUUID needs a secure context; plain http on a private network has none. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')
