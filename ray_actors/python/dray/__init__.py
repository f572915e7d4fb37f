"""The Python side of Dray on Ray. Importing the package imports nothing else: workers load what they use."""
