"""What the words of the language are completed to: each with `$1`, `${2:name}`, `$0` as the places to fill in.

One table for the completion of the language server and for the snippets of editors that run without it.
"""

from __future__ import annotations

ITEMS: dict[str, str] = {
    "mod": "mod ${1:name};",
    "use": "use ${1:path};",
    "pub": "pub $0",
    "struct": "struct ${1:Name} { ${2:field}: ${3:Int} }",
    "enum": "enum ${1:Name} { ${2:First}, ${3:Second} }",
    "fact": "fact ${1:Concept}(${2:individual});",
    "fn": "fn ${1:name}(${2:x}: ${3:Int}) -> ${4:Int} = ${0:x};",
    "derive": "derive ${1:name}(${2:x}) :- ${0};",
    "query": "query ${1:name}() -> [${2:Type}] {\n    select ${3:x} from ${0:x: Type}\n}",
    "check": "check ${1:name}(${2:x}) :- ${3:x: Type} => Diagnostic {\n    severity: Severity::Error,\n"
    '    message: format!("${4:what is wrong with} {}", $2),\n};',
    "mutate": "mutate ${1:name}(${2:x}: ${3:Type}) {\n    ${0}\n}",
    "test": 'test "${1:what holds}" {\n    ${0}\n}',
    "metatype": "metatype ${1:kind} = {};",
    "metarel": "metarel ${1:relator}();",
    "metaxis": "metaxis ${1:axis} for metatype { ${2:a}, ${3:b} };",
    "trait": "trait ${1:Name} {\n    ${0}\n}",
    "impl": "impl ${1:Trait} for ${2:Type} {\n    ${0}\n}",
    "standpoint": "standpoint ${1:Name} {\n    ${0}\n}",
    "disjoint": "disjoint { ${1:A}, ${2:B} };",
    "complete": "complete ${1:Whole} { ${2:A}, ${3:B} };",
    "partition": "partition ${1:Whole} { ${2:A}, ${3:B} };",
    "not_fact": "not_fact ${1:predicate}(${2:individual});",
}
"""What begins an item."""

STATEMENTS: dict[str, str] = {
    "require": "require ${0:condition};",
    "let": "let ${1:name} = ${0:value};",
    "insert": "insert ${1:Concept} { ${0} };",
    "update": "update ${1:x} set { ${2:field} = ${0:value} };",
    "delete": "delete ${1:relation}(${0});",
    "for": "for ${1:x} in ${2:list} {\n    ${0}\n}",
    "if": "if ${1:condition} {\n    ${0}\n}",
    "match": "match ${1:value} {\n    ${2:_} => ${0}\n}",
    "emit": "emit ${1:Event} { ${0} };",
    "return": "return ${0:value};",
}
"""What begins a statement."""

ASSERTIONS: dict[str, str] = {
    "assert": "assert ${0:condition};",
    "assert derivable": "assert derivable ${1:predicate}(${0});",
    "assert not derivable": "assert not derivable ${1:predicate}(${0});",
    "assert rejects": "assert rejects {\n    ${0}\n}",
}
"""What begins an assertion of a test."""

ATOMS: dict[str, str] = {"not": "not $0", "exists": "exists { $0 }"}
VALUES: dict[str, str] = {
    "true": "true",
    "false": "false",
    "if": "if ${1:condition} { ${2:value} } else { ${0:value} }",
    "match": "match ${1:value} { ${2:_} => ${0} }",
}
"""What begins an expression, beside names."""

"""What begins an atom, beside names."""

AGGREGATES: dict[str, str] = {
    "count": "count { ${1:x} from ${0} }",
    "sum": "sum(${1:value} for ${2:x} in ${0})",
    "min": "min(${1:value}, ${0})",
    "max": "max(${1:value}, ${0})",
    "avg": "avg(${1:value}, ${0})",
    "set": "set { ${1:x} from ${0} }",
    "collect": "collect { ${1:x} from ${0} }",
    "one": "one { ${1:x} from ${0} }",
}
"""Aggregates."""
