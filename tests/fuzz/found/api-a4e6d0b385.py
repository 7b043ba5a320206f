u11=relay.var('',weird)
