"""The grammar of clause notation, as lark reads it.

Terms and goals share one expression grammar, as in Prolog; what an expression means is decided by where it stands
(`compile`). The final `.` of a statement may be left out, as Relay's documentation does.
"""

from __future__ import annotations

__all__ = ["GRAMMAR", "NAMES_OF_TOKENS"]

GRAMMAR = r"""
file: statement*
query: ["?-"] body [DOT]

?statement: clause | operator | signature | declaration
clause: [EXTEND] [NAME ":"] call [_IF body] [DOT]
operator: "operator" NAME "(" [names] [";" attributes] ")" ":" NAME [DOT]
signature: NAME ":" "fn" ["<" kinds ">"] "(" [names] ")" "->" NAME "where" NAME ["(" names ")"] [DOT]
declaration: "relation" NAME "(" [names] ")" [":" STRING] [DOT]
names: (NAME | ELLIPSIS) ("," (NAME | ELLIPSIS))*
kinds: kind ("," kind)*
kind: NAME [":" NAME]
attributes: attribute ((";" | ",") attribute)*
attribute: NAME ":" NAME ["=" sum]

?body: conjunction (";" conjunction)*    -> disjunction
conjunction: item ("," item)*
?item: sum
     | sum ((COMPARISON | LESSTHAN | MORETHAN) sum)+ -> comparison
     | sum "=" sum                       -> equation
     | ELLIPSIS NAME                     -> spread
?sum: product
    | sum PLUS product                   -> operation
    | sum MINUS product                  -> operation
?product: signed
    | product (STAR | SLASH | PERCENT) signed -> operation
?signed: place
    | MINUS signed                       -> negative
?place: atom
    | place "[" index "]"                -> subscript
index: body
    | [body] COLON [body]                -> slice
?atom: NUMBER                            -> number
    | STRING                             -> string
    | QUESTION                           -> unknown
    | NAME                               -> name
    | call
    | LPAR body RPAR                     -> group
    | LPAR item ("," item)* COMMA RPAR   -> tuple
    | LPAR RPAR                          -> empty
    | LSQB RSQB                          -> empty
    | LSQB conjunction RSQB              -> list
    | LSQB conjunction BAR sum RSQB      -> open_list
    | "fn" LPAR [conjunction] RPAR "->" sum -> function
call: NAME LPAR [arguments] RPAR
arguments: item ("," item)* [COMMA]

EXTEND: "extend"
_IF: /(?<=[\s)]):-(?!\d)/
ELLIPSIS: "..."
COMPARISON: "!=" | "<=" | ">=" | "=="
LESSTHAN: "<"
MORETHAN: ">"
DOT: /\.(?=\s|\Z|#)/
NAME: /[A-Za-z_]\w*(\.[A-Za-z_]\w*)*/
NUMBER: /\d+(\.\d+)?([eE][+-]?\d+)?(?![A-Za-z_])/
STRING: /"([^"\\\n]|\\.)*"/
SLASH: "//"
PLUS: "+"
MINUS: "-"
STAR: "*"
PERCENT: "%"
QUESTION: "?"
COMMA: ","
COLON: ":"
BAR: "|"
LPAR: "("
RPAR: ")"
LSQB: "["
RSQB: "]"
COMMENT: /#[^\n]*/
%ignore COMMENT
%ignore /\s+/
"""

NAMES_OF_TOKENS = {
    "DOT": "`.`",
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a string",
    "COMPARISON": "a comparison",
    "SLASH": "`//`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "PERCENT": "`%`",
    "QUESTION": "`?`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "BAR": "`|`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "RSQB": "`]`",
    "ELLIPSIS": "`...`",
    "EQUAL": "`=`",
    "SEMICOLON": "`;`",
    "EXTEND": "`extend`",
    "OPERATOR": "`operator`",
    "RELATION": "`relation`",
    "FN": "`fn`",
    "WHERE": "`where`",
    "LESSTHAN": "`<`",
    "MORETHAN": "`>`",
    "_IF": "`:-`",
    "$END": "the end",
}
