"""Tokens to trees: recursive descent for items, Pratt for expressions, one file per area of the grammar.

Every function takes a `Cursor`, reads from `cursor.pos` on, and appends finished nodes to `cursor.out` in post-order.
"""
