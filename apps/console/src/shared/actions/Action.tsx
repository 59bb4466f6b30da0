/** An action of the log: in words, with its id below. */
import { useActionWords } from './words.ts'

export const Action = ({ action }: { action: string }) => {
  const words = useActionWords()(action)
  return (
    <div className="tg-two">
      <span>{words ?? action}</span>
      {words === undefined ? null : <span className="tg-faint tg-mono">{action}</span>}
    </div>
  )
}
