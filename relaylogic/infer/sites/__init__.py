"""Call sites and the worklist over them: what they demand, and what is known of types by then."""
