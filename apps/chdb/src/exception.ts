/** A failure as ClickHouse words it: `Code: N. DB::Exception: text. (NAME)`. */
export class StoreException extends Error {
  readonly code: number
  readonly status: number
  constructor(code: number, message: string) {
    super(message)
    this.name = 'StoreException'
    this.code = code
    this.status = statusOf(code)
  }
}

/** An exception of our own making, in ClickHouse's words. */
export function storeException(code: number, name: string, text: string): StoreException {
  return new StoreException(code, `Code: ${code}. DB::Exception: ${text}. (${name})`)
}

/** What the engine threw, with its code read out of the text; 1002 (UNKNOWN_EXCEPTION) when there is none. */
export function fromEngine(error: unknown): StoreException {
  if (error instanceof StoreException) return error
  const text = error instanceof Error ? error.message : String(error)
  const code = /^Code:\s*(\d+)\./.exec(text)?.[1]
  return code ? new StoreException(Number(code), text) : storeException(1002, 'UNKNOWN_EXCEPTION', text)
}

/** HTTP status by exception code, as ClickHouse's own HTTP handler answers. */
const statuses: Record<number, number> = {
  6: 400, // CANNOT_PARSE_TEXT
  26: 400, // CANNOT_PARSE_QUOTED_STRING
  27: 400, // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  36: 400, // BAD_ARGUMENTS
  38: 400, // CANNOT_PARSE_DATE
  41: 400, // CANNOT_PARSE_DATETIME
  43: 400, // ILLEGAL_TYPE_OF_ARGUMENT
  53: 400, // TYPE_MISMATCH
  60: 404, // UNKNOWN_TABLE
  62: 400, // SYNTAX_ERROR
  46: 404, // UNKNOWN_FUNCTION
  47: 404, // UNKNOWN_IDENTIFIER
  48: 501, // NOT_IMPLEMENTED
  72: 400, // CANNOT_PARSE_NUMBER
  81: 404, // UNKNOWN_DATABASE
  115: 404, // UNKNOWN_SETTING
  131: 413, // TOO_LARGE_STRING_SIZE
  159: 408, // TIMEOUT_EXCEEDED
  164: 405, // READONLY
  194: 401, // REQUIRED_PASSWORD
  202: 503, // TOO_MANY_SIMULTANEOUS_QUERIES
  457: 400, // BAD_QUERY_PARAMETER
  516: 403, // AUTHENTICATION_FAILED
}

function statusOf(code: number): number {
  return statuses[code] ?? 500
}
