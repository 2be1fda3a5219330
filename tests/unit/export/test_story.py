"""Markdown by others in the HTML report: rendered, and harmless."""

from __future__ import annotations

from sigscope.export.story import story


def test_what_markdown_sets_apart_is_set_apart() -> None:
    assert story("Two **faults** in `x`, *both* needed.\n\nThe end.") == (
        "<p>Two <strong>faults</strong> in <code>x</code>, <em>both</em> needed.</p>"
        "<p>The end.</p>"
    )
    assert story("# Why\n\n- one\n- two\n") == (
        "<h3>Why</h3><ul><li>one</li><li>two</li></ul>"
    )
    assert story("```json\n{}\n```") == "<pre>{}</pre>"
    assert story("> said\n\n1. first") == (
        "<blockquote><p>said</p></blockquote><ol><li><p>first</p></li></ol>"
    ).replace("<li><p>first</p></li>", "<li>first</li>")


def test_nothing_in_it_opens_loads_or_is_markup_of_the_page() -> None:
    made = story('<script>x</script> [a](javascript:x) [b](https://b.example "t")')
    assert "<script" not in made
    assert "href" not in made
    assert "b (https://b.example)" in made
    assert story("![alt](https://b.example/p.png)") == (
        "<p>alt (https://b.example/p.png)</p>"
    )
    assert "<b>" not in story("a <b>bold</b> word")


def test_absurd_nesting_is_an_answer_too() -> None:
    assert "x" in story(">" * 5_000 + " x")
