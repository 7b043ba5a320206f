e0=relay.var('')
e2=relay.Match(relay.op.get('add'),[relay.Clause(relay.PatternTuple([relay.PatternVar({})]),e0)])
e4=e2
relaylogic.IRModule.from_expr(e4)
