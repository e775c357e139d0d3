"""Inference: what the names and expressions of one item's body mean, and what is wrong with them (language §2 to §4).

`infer(item, scope, declarations)` never raises and depends on nothing else, so it can be remembered per item. Types
flow down (a literal takes the numeric type that is expected) and up; rule variables are typed in two passes
(`clauses`), so the order of atoms plays no part.

What `Inference.names` holds, by node kind; lowering needs to decide nothing anew:

| node | meaning |
|---|---|
| `Path` as a value | `ToBinding`, `ToSymbol("individual", …)` or `ToVariant` |
| `Path` of a concept that is an individual of another (`:`) | `ToSymbol("individual", …)` of the concept's path |
| `MemberValue.name` | `ToField` of the higher-level concept |
| `Wildcard` argument | `ToBinding` of a `wildcard` |
| `Call`, and its `Path` | `ToSymbol` of what is called (`arity` for predicates), `ToVariant` or `ToIntrinsic` |
| `FieldExpr` | `ToField` (declaring owner), `ToEnd` or `ToIntrinsic` (property); a row's column has none |
| `MethodCall` | `ToIntrinsic` |
| `StructExpr`, and its `Path` | `ToSymbol("struct", …)` or `ToVariant` |
| `Wildcard` in the condition of an axis, `self` in a `where` or `iff` | `ToBinding` |
| `FieldInit.name` | `ToField`; none for columns of a projection and payloads of variants |
| `FieldInit` written `{ name }` | what the value means, as of a `Path`; its type too is on the `FieldInit` |
| type nodes, and the `Path` of a named one | `ToType`; of an extent of rules `ToSymbol("predicate", …)` |
| `HeadVar`, `Param`, and their `Name` | `ToBinding`; in a ground `derive` `ToSymbol("individual", …)` |
| `LetStmt.name`, `UpdateStmt.name` | `ToBinding` (of an update also an individual) |
| `Assignment.name` | `ToField` |
| `InsertEntity.path`, `InsertTuple.path`, `FactDecl.predicate` | `ToSymbol` of a concept or relation |
| `InsertTuple`, `DeleteStmt` of `iof(x, T)`, and the path | `ToIntrinsic("iof")`; of T `ToSymbol("concept", …)` |
| `DeleteStmt`, and its `Path` | `ToSymbol` of a concept or relation |
| `AssertDerivable`, and its `Path` | `ToSymbol` of a concept, relation or predicate |

`Inference.types` holds the type of every expression node (of a literal the one that it takes; in a rule body a field
`T?` has type T, for an absent one fails the atom), of `Projection` (the row), of inserts (what they yield) and of type
nodes. `Binding.scope` is the index of the `NegatedAtom`, `ExistsAtom`, `Block`, `UpdateStmt` or `AssertRejects` that
the local belongs to, -1 for the whole item. `uses` leave out what signatures say (`signatures.read`).

A fact's arguments and fields are constants in the sense of `numbers.is_constant`.
"""

from argon_lang.program.infer.entry import head_types, infer

__all__ = ["head_types", "infer"]
