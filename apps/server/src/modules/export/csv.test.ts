import { describe, expect, it } from 'vitest'
import { csvLine } from './csv.ts'

describe('a line of a CSV file', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', `"'\r=1"`],
    ['\n=1', `"'\n=1"`],
    ['＝1', "'＝1"],
  ])('keeps %j from being taken for a formula', (text, wanted) => {
    expect(csvLine([text])).toBe(`${wanted}\r\n`)
  })
  it('writes numbers as they are, and quotes what holds a comma, a quote or a line end (RFC 4180)', () => {
    expect(csvLine([-5, 1.5, 'a,b', 'say "hi"', 'two\nlines', '中文', '', 'a=b'])).toBe(
      '-5,1.5,"a,b","say ""hi""","two\nlines",中文,,a=b\r\n',
    )
  })
})
