# SPDX-License-Identifier: Apache-2.0
"""The generator of Rung: compiles registry.yaml into constant C tables and one dispatch function per op.

load -> schema -> validate -> resolve -> layout -> emit -> output. Only the first and the last step do I/O.
"""
