e0 = relay.var('', relay.scalar_type('bool'))
e2 = relay.cast(e0, -1)
u8 = relay.transform.PassContext(relay.TypeVar('a'), b'x', [1, 2], e2)
