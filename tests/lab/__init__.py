"""The laboratory: how citelsp's rules, weights and claims are measured, fitted and held to what is asked of them."""
