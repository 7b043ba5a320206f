'
e5 = relay.const(1)
m9= relaylogic.IRModule.from_expr(e5)
r10 = relay.transform.InferType()(m9)
r13= e5.checked_type