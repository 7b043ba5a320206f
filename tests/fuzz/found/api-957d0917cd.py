e0 = relay.var('x', shape=(3, 2), dtype='float32')
e5 = relay.split(e0, -(2**70), axis=0)
u14 = relay.transform.Sequential(e5, lambda *_: 1)
