// The .tio modelling language. docs/language.md is its reference.
//
// The grammar decides shape only: names, types and the rules of each kind of automaton are the frontend's. Nearly every decision needs one
// token of lookahead; the rest need two or three. Whatever the frontend reads has a label: no parse tree is built beside them.
grammar Tio;

// Words that are keywords in one place only and names everywhere else (`on`, `weight`, …). The lexer delivers them as ID; the
// frontend's token pass retags them where their neighbours leave no doubt.
tokens { ON, OPEN, QUEUE, PRIORITY, WEIGHT, JITTER }

// ---- modules

header
  : MODULE name=qualifiedName ';'
  ;

// The frontend calls `item` until the end of the file, so that one broken item does not take the rest with it.
item
  : asImport=importDecl | asTimescale=timescaleDecl | asConst=constDecl | asEnum=enumDecl | asRecord=recordDecl | asType=typeDecl
  | asFunction=functionDecl | asChannel=channelDecl | asVar=varDecl | asClock=clockDecl | asAutomaton=automatonDecl
  | asPurpose=purposeDecl | asSystem=systemDecl | asSuite=suiteDecl
  ;

importDecl    : IMPORT name=qualifiedName ';' ;
timescaleDecl : TIMESCALE (amount=TIME | amount=NUMBER ('/' divisor=NUMBER)? unit=ID) ';' ;
constDecl     : CONST name=ID (':' valueType=type)? '=' value=expr ';' ;
enumDecl      : ENUM name=ID '{' literals+=ID (',' literals+=ID)* ','? '}' ;
recordDecl    : RECORD name=ID '{' fields+=parameter (',' fields+=parameter)* ','? '}' ;
typeDecl      : TYPE name=ID '=' aliased=type ';' ;
functionDecl  : FUN name=ID '(' (parameters+=parameter (',' parameters+=parameter)*)? ')' ':' result=type '=' body=expr ';' ;

parameter     : name=ID ':' parameterType=type ;
type          : (builtin=(BOOL | INT | REAL) | name=qualifiedName) dimensions+=dimension* ;
dimension     : '[' first=expr ('..' last=expr)? ']' ;
qualifiedName : parts+=ID ('.' parts+=ID)* ;

channelDecl
  : open=OPEN? broadcast=BROADCAST? direction=(INPUT | OUTPUT | INOUT | INTERNAL) channels+=channel (',' channels+=channel)* ';'
  | broadcast=BROADCAST channels+=channel (',' channels+=channel)* ';'
  ;
channel       : name=ID ('(' (parameters+=parameter (',' parameters+=parameter)*)? ')')? ;

varDecl       : VAR variables+=variable (',' variables+=variable)* ';' ;
variable      : name=ID ':' variableType=type ('=' value=expr)? ;
clockDecl     : CLOCK names+=ID (',' names+=ID)* ';' ;

// ---- automata

automatonDecl
  : kind=(TIOSTS | ESTS | VDTA) name=ID ('(' (parameters+=parameter (',' parameters+=parameter)*)? ')')? '{' members+=member* '}'
  ;
purposeDecl
  : PURPOSE name=ID FOR subject=qualifiedName '{' members+=member* '}'
  ;

member
  : asVar=varDecl | asClock=clockDecl | asSignal=signalDecl | asInit=initDecl | asDeadlines=deadlinesDecl | asState=stateDecl | asGroup=groupDecl
  ;
// The variables of a VDTA's interface.
signalDecl    : direction=(INPUT | OUTPUT) variables+=variable (',' variables+=variable)* ';' ;
initDecl      : INIT location=ID (WHEN condition=expr)? ';' ;
deadlinesDecl : DEADLINES reading=ID ';' ;

stateDecl     : modifiers+=(URGENT | COMMITTED)* STATE name=ID (INVARIANT invariant=expr)? '{' edges+=edge* '}' ;

groupDecl     : GROUP name=ID (RESTART ON restarts+=edgeReference (',' restarts+=edgeReference)*)? '{' members+=groupMember* '}' ;
groupMember   : asState=stateDecl | asGroup=groupDecl | asStates=groupStates | asEdge=edge ;
groupStates   : STATES names+=ID (',' names+=ID)* ';' ;
edgeReference : source=ID '->' destination=ID ;

edge          : (name=ID ':')? urgency=(LAZY | DELAYABLE | EAGER)? cause=trigger? clauses+=clause* '->' destination=ID ';' ;
trigger
  : channelName=qualifiedName direction=('?' | '!') (list='(' (arguments+=argument (',' arguments+=argument)*)? ')')?
  | internal=TAU
  | otherwise=OTHERWISE
  | after=AFTER timeout=expr
  ;
argument      : wildcard='_' | value=expr ;
clause
  : kind=WHEN condition=expr
  | kind=DO assignments+=assignment (',' assignments+=assignment)*
  | kind=TAKES first=expr (interval=('..' | '+-') second=expr)?
  | kind=PRIORITY number=expr
  | kind=WEIGHT number=expr
  | kind=JITTER number=expr
  ;
assignment    : place=expr ':=' value=expr ;

// ---- systems and suites

systemDecl
  : SYSTEM name=ID '=' (queue=QUEUE '(' components+=component (',' components+=component)* ')' | components+=component ('||' components+=component)*) ';'
  ;
component
  : (name=ID ':')? automaton=qualifiedName ('(' (arguments+=expr (',' arguments+=expr)*)? ')')? (FOR index=ID IN first=bound '..' last=bound)?
  ;
// Narrower than an expression, which would take the `||` of the next component along.
bound         : minus='-'? (number=NUMBER | name=ID) | '(' inner=expr ')' ;

suiteDecl     : SUITE name=ID FOR subject=qualifiedName '{' settings+=setting* '}' ;
setting       : key=(ID | PURPOSE | PRIORITY | WEIGHT) values+=settingValue (',' values+=settingValue)* ';' ;
settingValue  : word=(ID | NUMBER | TIME | STATES) ;

// ---- expressions; alternatives stand in the order of their binding, tightest first

expr
  : '(' inner=expr ')'                                              # Parenthesised
  | '[' elements+=expr (',' elements+=expr)* (';' size=expr)? ']'   # ArrayLiteral
  | literal=(NUMBER | TIME | TRUE | FALSE)                          # Literal
  | name=ID                                                         # NameUse
  | base=expr '.' field=ID                                          # Field
  | base=expr '[' index=expr ']'                                    # Index
  | callee=expr '(' (arguments+=callArgument (',' arguments+=callArgument)*)? ')'   # Call
  | op=('-' | '!') operand=expr                                     # Unary
  | left=expr op=('*' | '/' | '%') right=expr                       # Binary
  | left=expr op=('+' | '-') right=expr                             # Binary
  | left=expr op=('<' | '<=' | '>' | '>=') right=expr               # Binary
  | left=expr op=('==' | '!=') right=expr                           # Binary
  | left=expr op='&&' right=expr                                    # Binary
  | left=expr op='||' right=expr                                    # Binary
  | <assoc=right> left=expr op='=>' right=expr                      # Binary
  | IF condition=expr THEN yes=expr ELSE no=expr                    # Conditional
  ;
callArgument  : (name=ID ':')? value=expr ;

// ---- tokens

MODULE: 'module';       IMPORT: 'import';       TIMESCALE: 'timescale'; CONST: 'const';         ENUM: 'enum';
RECORD: 'record';       TYPE: 'type';           FUN: 'fun';             INPUT: 'input';         OUTPUT: 'output';
INOUT: 'inout';         INTERNAL: 'internal';   BROADCAST: 'broadcast'; VAR: 'var';             CLOCK: 'clock';
TIOSTS: 'tiosts';       ESTS: 'ests';           VDTA: 'vdta';           PURPOSE: 'purpose';     FOR: 'for';
INIT: 'init';           DEADLINES: 'deadlines'; STATE: 'state';         URGENT: 'urgent';       COMMITTED: 'committed';
INVARIANT: 'invariant'; GROUP: 'group';         RESTART: 'restart';     STATES: 'states';       LAZY: 'lazy';
DELAYABLE: 'delayable'; EAGER: 'eager';         TAU: 'tau';             OTHERWISE: 'otherwise'; AFTER: 'after';
WHEN: 'when';           DO: 'do';               TAKES: 'takes';         SYSTEM: 'system';       SUITE: 'suite';
IN: 'in';               IF: 'if';               THEN: 'then';           ELSE: 'else';           TRUE: 'true';
FALSE: 'false';         BOOL: 'bool';           INT: 'int';             REAL: 'real';

SEMICOLON: ';';   COMMA: ',';        COLON: ':';      DOT: '.';         DOTS: '..';       ASSIGN: ':=';    ARROW: '->';
LPAREN: '(';      RPAREN: ')';       LBRACKET: '[';   RBRACKET: ']';    LBRACE: '{';      RBRACE: '}';     QUESTION: '?';
NOT: '!';         PLUS: '+';         MINUS: '-';      PLUSMINUS: '+-';  STAR: '*';        SLASH: '/';      PERCENT: '%';
EQUALS: '=';      EQUAL: '==';       NOTEQUAL: '!=';  LESS: '<';        LESSEQUAL: '<=';  GREATER: '>';    GREATEREQUAL: '>=';
AND: '&&';        OR: '||';          IMPLIES: '=>';   UNDERSCORE: '_';

ID: [\p{L}_] [\p{L}\p{N}_]*;
NUMBER: [0-9]+ ('.' [0-9]+)?;
TIME: NUMBER ('ns' | 'us' | 'ms' | 's' | 'min' | 'h');

LINE_COMMENT: '//' ~[\r\n]* -> channel(HIDDEN);
BLOCK_COMMENT: '/*' .*? '*/' -> channel(HIDDEN);
SPACE: [ \t\r\n\uFEFF]+ -> skip;
// Anything else, so that the lexer never fails and the parser reports the place once.
UNKNOWN: . ;
