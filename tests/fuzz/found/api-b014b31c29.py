e1=relay.var('')
e2=relay.split(e1,10**400)
relay.Function(e2,float)