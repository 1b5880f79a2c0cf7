" Syntax colouring for tioc models.
if exists("b:current_syntax")
  finish
endif
syntax keyword tioDeclaration module import timescale const enum record type fun input output inout internal broadcast open var clock
syntax keyword tioDeclaration tiosts ests vdta purpose system suite state states group init deadlines invariant urgent committed
syntax keyword tioStatement when do takes priority weight jitter lazy delayable eager tau otherwise after restart on for in if then else queue
syntax keyword tioType bool int real
syntax keyword tioConstant true false accept reject
syntax match tioNumber "\<\d\+\(\.\d\+\)\?\(ns\|us\|ms\|s\|min\|h\)\?\>"
syntax match tioOperator "->\|:=\|[?!]"
syntax match tioComment "//.*$"
syntax region tioComment start="/\*" end="\*/"
highlight default link tioDeclaration Keyword
highlight default link tioStatement Statement
highlight default link tioType Type
highlight default link tioConstant Constant
highlight default link tioNumber Number
highlight default link tioOperator Operator
highlight default link tioComment Comment
let b:current_syntax = "tio"
