"""What was computed, as frozen data: any Value in, a `Graph` out, and everything read from one.

The room is called ``graphs`` because ``glassgrad.graph`` is the function that reads a graph; a
package of that name would take its place as soon as anything imported it.
"""
