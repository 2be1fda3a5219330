"""The services there are: one record each, in a file of the dialect's name.

To add a speaker of a family: a file here with a `SERVICE`, and a line in `registry`.
Its checks and its speech stand in that file, or where they are long in files of the
same stem in `checks` and `speech`.
"""
