"""Is it right?  `check` grades a class or a graph; `gradcheck` measures slopes and compares.

The room is called ``checks`` because ``glassgrad.check`` is a function; a package of that name
would take its place as soon as anything imported it.
"""
