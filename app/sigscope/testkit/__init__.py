"""What authors of clients use in their own tests.

`plugin` is loaded by every pytest of an environment that has sigscope, so it imports
nothing else of ours until a fixture is asked for; `fixture` is what the test gets.
"""
