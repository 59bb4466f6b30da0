/** Chooses leaves of a tree; a branch stands for all leaves below it. */
import { Tree } from 'antd'

export interface Branch {
  key: string
  title: string
  disabled?: boolean
  children?: Branch[]
}

const keysBelow = (branch: Branch): string[] =>
  branch.children === undefined ? [branch.key] : branch.children.flatMap(keysBelow)

interface Props {
  label: string
  tree: Branch[]
  /** Keys of leaves; those that the tree does not have are kept. */
  value?: string[]
  onChange?: (keys: string[]) => void
}

export const TreePicker = ({ label, tree, value = [], onChange }: Props) => {
  const leaves = new Set(tree.flatMap(keysBelow))
  const foreign = value.filter((key) => !leaves.has(key))
  return (
    <div className="tg-panel tree-picker">
      <Tree<Branch>
        checkable
        selectable={false}
        blockNode
        aria-label={label}
        treeData={tree}
        defaultExpandedKeys={tree.map((branch) => branch.key)}
        checkedKeys={value.filter((key) => leaves.has(key))}
        onCheck={(checked) => {
          const keys = Array.isArray(checked) ? checked : checked.checked
          onChange?.([...foreign, ...keys.map(String).filter((key) => leaves.has(key))])
        }}
      />
    </div>
  )
}
