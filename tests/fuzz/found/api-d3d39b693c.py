e0=relay.var('')
e1=relay.topk(e0)
r9=relay.transform.InferTypeLocal(e1)