"""The grammar of clause notation, as lark reads it.

Terms and goals share one expression grammar, as in Prolog; what an expression means is decided by where it stands
(`compile`). The final `.` of a statement may be left out, as Relay's documentation does.

Every alternative is named after the function of `reductions` that makes its value of the values of its parts. Lists
are left-recursive, so an LALR parser needs no depth for them. A text before `:` is the name of a premise; that it
could be an end of a slice, which no text is, is a conflict that the parser resolves so.
"""

from __future__ import annotations

__all__ = ["GRAMMAR"]

GRAMMAR = r"""
file: -> none_yet
    | file statement -> add
query: body -> first
     | body DOT -> first
     | ASK body -> second
     | ASK body DOT -> second

// ---- statements
statement: stated -> first
         | stated DOT -> stopped
stated: clause -> first
      | EXTEND clause -> extended
      | OPERATOR NAME LPAR some_names declared RPAR COLON NAME -> operator
      | NAME COLON FN some_kinds LPAR some_names RPAR ARROW NAME WHERE NAME order -> signature
      | RELATION NAME LPAR some_names RPAR -> declaration
      | RELATION NAME LPAR some_names RPAR COLON STRING -> declaration
      | DATA NAME some_parameters LBRACE RBRACE -> empty_data
      | DATA NAME some_parameters LBRACE constructors separator RBRACE -> data
some_parameters: -> nothing
               | LSQB parameters RSQB -> second
parameters: parameter -> one
          | parameters COMMA parameter -> add
parameter: NAME -> parameter
         | NAME COLON NAME -> parameter
constructors: constructor -> one
            | constructors separator constructor -> add
separator: -> nothing
         | COMMA -> nothing
         | SEMICOLON -> nothing
constructor: NAME -> constructor
           | NAME fields -> constructor
           | NAME COLON fields ARROW sum -> signed_constructor
fields: LPAR RPAR -> empty
      | LPAR items RPAR -> fields
      | LPAR items COMMA RPAR -> fields
clause: call -> clause
      | call IF body -> clause
      | NAME COLON call -> named_clause
      | NAME COLON call IF body -> named_clause
some_names: -> nothing
          | names -> names
names: name -> one
     | names COMMA name -> add
name: NAME -> first
    | ELLIPSIS -> first
declared: -> nothing
        | SEMICOLON attributes -> attributes
attributes: attribute -> one
          | attributes SEMICOLON attribute -> add
          | attributes COMMA attribute -> add
attribute: NAME COLON NAME some_values -> attribute
         | NAME COLON NAME some_values EQUAL sum -> attribute
some_values: -> nothing
           | LSQB values RSQB -> second
values: value -> one
      | values BAR value -> add
value: NAME -> first
     | STRING -> first
some_kinds: -> nothing
          | LESSTHAN kinds MORETHAN -> nothing
kinds: kind -> nothing
     | kinds COMMA kind -> nothing
kind: NAME -> nothing
    | NAME COLON NAME -> nothing
order: -> nothing
     | LPAR names RPAR -> order

// ---- goals
body: conjunction -> first
    | alternatives -> disjunction
alternatives: conjunction SEMICOLON conjunction -> first_and_third
            | alternatives SEMICOLON conjunction -> add
conjunction: items -> conjunction
items: item -> one
     | items COMMA item -> add
item: sum -> first
    | chain -> comparison
    | sum EQUAL sum -> equation
    | ELLIPSIS NAME -> spread
    | STRING COLON item -> premise
chain: sum compare sum -> all
     | chain compare sum -> add_both
compare: COMPARISON -> first
       | LESSTHAN -> first
       | MORETHAN -> first

// ---- terms
sum: product -> first
   | sum PLUS product -> operation
   | sum MINUS product -> operation
product: signed -> first
       | product STAR signed -> operation
       | product SLASH signed -> operation
       | product PERCENT signed -> operation
signed: place -> first
      | MINUS signed -> negative
place: atom -> first
     | place LSQB index RSQB -> subscript
     | place LSQB RSQB -> applied
index: body -> index
     | COLON -> slice
     | body COLON -> slice_from
     | STRING COLON -> slice_from_text
     | COLON body -> slice_to
     | body COLON body -> slice_between
atom: NUMBER -> number
    | STRING -> string
    | QUESTION -> unknown
    | NAME -> variable
    | call -> first
    | LPAR body RPAR -> group
    | LPAR items COMMA RPAR -> tuple
    | LPAR RPAR -> empty
    | LSQB RSQB -> empty
    | LSQB items RSQB -> list
    | LSQB items BAR sum RSQB -> open_list
    | FN LPAR RPAR ARROW sum -> function
    | FN LPAR items RPAR ARROW sum -> function
call: NAME LPAR RPAR -> call
    | NAME LPAR items RPAR -> call
    | NAME LPAR items COMMA RPAR -> call
"""
