/** How dnsdist is run. Pure. */
import { enginePaths } from './engine-root.ts'

/** The command line that runs dnsdist with a configuration, in the foreground; `root`: see `enginePaths`. */
export function dnsdistCommand(root: string, conf: string) {
  const { root: prefix, env } = enginePaths(root)
  return { file: `${prefix}/usr/bin/dnsdist`, args: ['--supervised', '--disable-syslog', '-C', conf], env }
}
