/** A labelled control with its hint and error. The control inside takes `id`, and `aria` of the error through `useFieldAria`. */
import { type ReactNode, useId } from 'react'
import './field.css'

interface FieldProps {
  label: string
  required?: boolean
  hint?: string
  error?: string | readonly string[] | undefined
  /** Given the id and aria attributes for the control. */
  children: (control: { id: string; 'aria-invalid'?: boolean; 'aria-describedby'?: string }) => ReactNode
}

export const Field = ({ label, required = false, hint, error, children }: FieldProps) => {
  const id = useId()
  const errors = error === undefined ? [] : typeof error === 'string' ? [error] : error
  const control = errors.length === 0 ? { id } : { id, 'aria-invalid': true, 'aria-describedby': `${id}-error` }
  return (
    <div className={`field${errors.length > 0 ? ' field-wrong' : ''}`}>
      <label htmlFor={id}>
        {required ? (
          <span className="field-star" aria-hidden="true">
            *
          </span>
        ) : null}
        {label}
      </label>
      <div className="field-control">
        {children(control)}
        {errors.length === 0 ? null : (
          <ul className="field-errors" id={`${id}-error`}>
            {errors.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
        {hint === undefined || errors.length > 0 ? null : <p className="field-hint">{hint}</p>}
      </div>
    </div>
  )
}

/** A titled part of a form, parted from the next by a hairline. */
export const FieldGroup = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="field-group" aria-label={title}>
    <h2>{title}</h2>
    <div>{children}</div>
  </section>
)
