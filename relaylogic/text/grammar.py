"""The grammar of Relay text, as lark reads it.

Every alternative is named after the method of `builder.Builder` that builds its value; rules are
left-recursive and flat (operators of an expression are one chain, whose precedences the builder sorts out),
so that an LALR parser needs no depth. Its few shift/reduce conflicts are meant, and resolved by shifting: a
`(` or `-` after an expression goes on with it even where another could start, a `where` belongs to the
innermost function type, a `{` behind a type's name is its body.
"""

from __future__ import annotations

__all__ = ["GRAMMAR", "STARTS", "TERMINALS"]

STARTS = ["module", "whole_type", "whole_expr"]

TERMINALS = """
LET FN DEF IF ELSE TYPE MATCH PMATCH EXTERN FREE_VAR REF REF_READ REF_WRITE BOOL HOLE DATA CASE IMPORT
WHERE LPAR RPAR LSQB RSQB LBRACE RBRACE COMMA SEMI COLON EQ QUESTION PLUS MINUS STAR SLASH PERCENT LT GT
LE GE EQEQ NE ARROW FATARROW ELLIPSIS LOCAL GRAPH GLOBAL IDENT DTYPE NUMBER STRING META PROJ TENSOR TENSOR_TYPE
INTS ATTR BINDING TYPED LET_HEAD STATEMENT LANGLE RANGLE FLOORDIV WCOMMA
"""

GRAMMAR = r"""
module: items -> done
items: -> nothing
     | items item -> done
item: IMPORT STRING -> done
    | IMPORT STRING SEMI -> done
    | typedef -> done
    | def_head tparams params ret LBRACE body RBRACE -> definition
    | GLOBAL COLON type -> declaration
    | IDENT COLON type -> declaration
    | body -> bare

// ---- data types
typedef: type_head tparams LBRACE ctors separator RBRACE -> type_definition
       | type_head tparams LBRACE RBRACE -> empty_type_definition
       | type_head tparams -> empty_type_definition
       | EXTERN type_head tparams -> extern_type
       | EXTERN type_head tparams LBRACE RBRACE -> extern_type
type_head: TYPE IDENT -> type_head
         | DATA IDENT -> type_head
ctors: ctor -> one
     | ctors separator ctor -> add
separator: -> nothing
         | COMMA -> nothing
         | SEMI -> nothing
ctor: IDENT -> bare_constructor
    | IDENT field_list -> constructor
    | IDENT COLON field_list ARROW type -> signed_constructor
field_list: LPAR RPAR -> no_fields
          | LPAR fields RPAR -> fields
          | LPAR fields COMMA RPAR -> fields
fields: type -> first_field
      | fields COMMA type -> next_field

// ---- functions
def_head: DEF GLOBAL -> def_head
fn_head: FN -> fn_head
tparams: -> empty
       | LSQB tparam_list RSQB -> second
       | LSQB tparam_list COMMA RSQB -> second
       | LANGLE tparam_list RANGLE -> second
tparam_list: tparam -> one
           | tparam_list COMMA tparam -> add
tparam: IDENT -> type_param
      | IDENT COLON IDENT -> type_param
params: LPAR RPAR -> params
      | LPAR param_list RPAR -> params
      | LPAR param_list COMMA RPAR -> params
      | LPAR param_list COMMA attrs RPAR -> params_attrs
      | LPAR param_list COMMA attrs COMMA RPAR -> params_attrs
      | LPAR attrs RPAR -> only_attrs
      | LPAR attrs COMMA RPAR -> only_attrs
param_list: param -> one
          | param_list COMMA param -> add
param: LOCAL -> param
     | TYPED -> plain_param
     | LOCAL COLON type -> param
     | LOCAL LBRACE attrs RBRACE -> param
     | LOCAL LBRACE attrs RBRACE COLON type -> param
ret: -> no_ret
   | told constraints -> ret
   | WHERE relations -> demands
   | WHERE relations told -> demands
told: ARROW type -> told
constraints: -> empty
           | WHERE relations -> second
relations: relation -> one
         | relations WCOMMA relation -> add
relation: IDENT -> bare_relation
        | IDENT LPAR terms RPAR -> relation
        | IDENT LPAR terms COMMA attrs RPAR -> relation

// ---- statements and expressions
body: expr -> first
    | stmts expr -> body
stmts: stmt -> one
     | stmts stmt -> add
stmt: let_head expr SEMI -> let_stmt
    | graph_head expr SEMI -> graph_stmt
    | expr SEMI -> expr_stmt
    | STATEMENT -> plain_stmt
    | FREE_VAR LOCAL SEMI -> free_var
    | FREE_VAR LOCAL COLON type SEMI -> free_var
let_head: LET LOCAL EQ -> let_head
        | LET LOCAL COLON type EQ -> let_head
        | LET_HEAD -> plain_let_head
graph_head: BINDING -> graph_head
          | GRAPH EQ -> graph_head
block: scope_open body RBRACE -> scope
scope_open: LBRACE -> scope_open
expr: operand -> first
    | chain -> operators
    | MATCH postfix LBRACE arms RBRACE -> match
    | PMATCH postfix LBRACE arms RBRACE -> match
    | block -> first
chain: operand operator operand -> first_operator
     | chain operator operand -> add_operator
operand: unnamed -> first
       | named -> operand
       | MINUS operand -> negation
operator: PLUS -> first
        | MINUS -> first
        | STAR -> first
        | SLASH -> first
        | LT -> first
        | GT -> first
        | LE -> first
        | GE -> first
        | EQEQ -> first
        | NE -> first
postfix: unnamed -> first
       | named -> first
named: IDENT -> name
     | DTYPE -> name
unnamed: LOCAL -> local
       | GRAPH -> graph_use
       | GLOBAL -> global_var
       | NUMBER -> number
       | BOOL -> boolean
       | META -> meta
       | LPAR RPAR -> unit
       | LPAR body RPAR -> parenthesised
       | LPAR body COMMA RPAR -> one_tuple
       | LPAR body COMMA args RPAR -> tuple
       | LPAR body COMMA args COMMA RPAR -> tuple
       | fn_head tparams params ret LBRACE body RBRACE -> function
       | IF LPAR body RPAR block ELSE block -> conditional
       | REF LPAR body RPAR -> ref_create
       | REF_READ LPAR body RPAR -> ref_read
       | REF_WRITE LPAR body COMMA body RPAR -> ref_write
       | unnamed PROJ -> projection
       | named PROJ -> projection
       | unnamed call_args -> call
       | named call_args -> call
       | unnamed LANGLE terms RANGLE call_args -> typed_call
       | named LANGLE terms RANGLE call_args -> typed_call
call_args: LPAR RPAR -> no_args
         | LPAR args RPAR -> args
         | LPAR args COMMA RPAR -> args
         | LPAR args COMMA attrs RPAR -> args_attrs
         | LPAR args COMMA attrs COMMA RPAR -> args_attrs
         | LPAR attrs RPAR -> call_attrs
         | LPAR attrs COMMA RPAR -> call_attrs
args: body -> one
    | args COMMA body -> add

// ---- match
arms: -> empty
    | arm_list separator -> first
arm_list: arm -> one
        | arm_list COMMA arm -> add
        | arm_list next_arm -> add
arm: arm_head body -> arm
   | case_head LBRACE body RBRACE -> case_arm
next_arm: next_arm_head body -> arm
        | case_head LBRACE body RBRACE -> case_arm
arm_head: pattern FATARROW -> arm_head
next_arm_head: open_pattern FATARROW -> arm_head
case_head: case_open pattern -> case_head
case_open: CASE -> case_open
pattern: open_pattern -> first
       | pattern_tuple -> first
open_pattern: HOLE -> wildcard
            | LOCAL -> pattern_var
            | LOCAL COLON type -> pattern_var
            | TYPED -> plain_pattern
            | IDENT -> pattern_name
            | IDENT LPAR RPAR -> pattern_constructor
            | IDENT LPAR patterns RPAR -> pattern_constructor
            | IDENT LPAR patterns COMMA RPAR -> pattern_constructor
pattern_tuple: LPAR RPAR -> pattern_unit
             | LPAR patterns RPAR -> pattern_tuple
             | LPAR patterns COMMA RPAR -> pattern_tuple
patterns: pattern -> one
        | patterns COMMA pattern -> add

// ---- attributes
attrs: attr -> one
     | attrs attr -> add
     | attrs COMMA attr -> add
attr: IDENT EQ value -> attr
    | ATTR -> plain_attr
value: NUMBER -> number_value
     | STRING -> string_value
     | BOOL -> bool_value
     | QUESTION -> any_value
     | HOLE -> hole_value
     | INTS -> ints_value
     | IDENT -> name_value
     | DTYPE -> name_value
     | META -> meta_value
     | LSQB RSQB -> empty_value
     | LSQB values RSQB -> list_value
     | LSQB values COMMA RSQB -> list_value
     | LPAR RPAR -> empty_value
     | LPAR values RPAR -> parenthesised_value
     | LPAR values COMMA RPAR -> list_value
     | var_value -> expr_value
var_value: LOCAL -> local
         | GRAPH -> graph_use
         | GLOBAL -> global_var
         | var_value PROJ -> projection
values: value -> one
      | values COMMA value -> add

// ---- types
type: type_list -> tuple_type
    | IDENT -> type_name
    | DTYPE -> type_name
    | HOLE -> hole
    | core_type -> first
type_list: LPAR RPAR -> empty
         | LPAR types RPAR -> second
         | LPAR types COMMA RPAR -> second
types: type -> one
     | types COMMA type -> add
core_type: TENSOR_TYPE -> tensor_text
         | TENSOR LSQB shape COMMA dtype RSQB -> tensor_type
         | fn_head tparams type_list ARROW type constraints -> function_type
         | fn_head tparams type_list WHERE relations ARROW type -> maker_type
         | REF LPAR type RPAR -> ref_type
         | IDENT LSQB RSQB -> type_call
         | IDENT LSQB terms RSQB -> type_call
         | IDENT LSQB terms COMMA RSQB -> type_call
         | META -> meta_type
dtype: -> void
     | IDENT -> dtype
     | DTYPE -> dtype
     | HOLE -> dtype_hole
shape: LPAR RPAR -> empty_shape
     | LPAR terms RPAR -> shape
     | LPAR terms COMMA RPAR -> shape
     | LPAR terms COMMA ELLIPSIS HOLE RPAR -> open_shape
     | LPAR ELLIPSIS HOLE RPAR -> open_shape
     | LPAR terms COMMA ELLIPSIS IDENT RPAR -> open_shape
     | LPAR ELLIPSIS IDENT RPAR -> open_shape
     | IDENT -> shape_name
     | HOLE -> shape_hole

// ---- dimensions, and type arguments, which may be any of type, shape, dimension and dtype
terms: term -> one
     | terms COMMA term -> add
term: product -> first
    | term PLUS product -> dim_operation
    | term MINUS product -> dim_operation
product: factor -> first
       | product STAR factor -> dim_operation
       | product FLOORDIV factor -> dim_operation
       | product PERCENT factor -> dim_operation
factor: NUMBER -> dim_number
      | QUESTION -> dim_any
      | HOLE -> term_hole
      | IDENT -> term_name
      | DTYPE -> term_name
      | IDENT LPAR term COMMA term RPAR -> dim_function
      | IDENT LPAR term RPAR -> dim_fold
      | MINUS factor -> dim_negation
      | LPAR RPAR -> empty_term
      | LPAR terms RPAR -> term_list
      | LPAR terms COMMA RPAR -> term_list
      | LPAR terms COMMA ELLIPSIS HOLE RPAR -> open_shape
      | LPAR ELLIPSIS HOLE RPAR -> open_shape
      | LPAR terms COMMA ELLIPSIS IDENT RPAR -> open_shape
      | LPAR ELLIPSIS IDENT RPAR -> open_shape
      | core_type -> first

whole_type: type -> first
whole_expr: body -> first
"""
