/** A whole-number field: at least 1 unless told otherwise, and at the minimum again when it is cleared. */
import { InputNumber, type InputNumberProps } from 'antd'
import { useState } from 'react'

type Props = Omit<InputNumberProps<number>, 'min' | 'value' | 'onChange' | 'stringMode'> & {
  min?: number
  value: number
  onChange: (value: number) => void
}

/** While the cleared field has the cursor it stays empty, so that one can type; its value is the minimum already. */
export const NumberInput = ({ min = 1, value, onChange, onBlur, ...rest }: Props) => {
  const [cleared, setCleared] = useState(false)
  return (
    <InputNumber<number>
      precision={0}
      controls={false}
      {...rest}
      min={min}
      value={cleared ? null : value}
      onChange={(next) => {
        setCleared(next === null)
        onChange(next ?? min)
      }}
      onBlur={(event) => {
        setCleared(false)
        onBlur?.(event)
      }}
    />
  )
}
