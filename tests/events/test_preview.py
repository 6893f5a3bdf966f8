"""A look at a file before it is read."""

import pytest

from affrag_core.errors import ReadError
from affrag_core.events.readers import read_events
from affrag_core.events.readers.preview import preview_file

UNNAMED = "wann;was;code\n2024-01-01;Tea with Ada in the garden;x1\n2024-01-02 10:00;A long walk home alone;x2\n"


def test_columns_are_found_by_name_first():
    preview = preview_file("a.csv", b"Date,Message,Room\n2024-01-01,Tea with Ada,kitchen\n")
    assert preview.proposed == {"timestamp": "Date", "text": "Message"}
    assert preview.by_content == frozenset()
    assert preview.rows == ({"Date": "2024-01-01", "Message": "Tea with Ada", "Room": "kitchen"},)


def test_columns_that_names_do_not_tell_are_found_by_content():
    preview = preview_file("a.csv", UNNAMED.encode())
    assert preview.proposed == {"timestamp": "wann", "text": "was", "id": "code"}
    assert preview.by_content == {"timestamp", "text", "id"}


def test_a_column_of_times_of_which_a_few_cannot_be_read_is_one_of_times():
    rows = "wann;was\n2024-01-01;Tea with Ada\nneulich;Rain all day\n2024-01-03;Snow at night\n2024-01-04;Soup for two\n"
    assert preview_file("a.csv", rows.encode()).proposed == {"timestamp": "wann", "text": "was"}


def test_a_mapping_that_a_person_chose_is_what_is_read():
    reading = read_events("a.csv", UNNAMED.encode(), columns=preview_file("a.csv", UNNAMED.encode()).proposed)
    assert [event.id for event in reading.events] == ["x1", "x2"]
    reading = read_events("a.csv", b"text,date\nTea,2024-01-01\n", columns={"timestamp": ""})
    assert reading.events[0].timestamp is None
    assert reading.events[0].metadata["date"] == "2024-01-01"


def test_files_of_one_shape_are_recognised_whatever_they_hold():
    first, second = preview_file("a.csv", b"Text,Date\na b c,2024-01-01\n"), preview_file("b.csv", b"date;text\n2024-01-02;x\n")
    assert first.shape == second.shape
    assert first.shape != preview_file("c.csv", b"text,date,room\nx,2024-01-01,y\n").shape


def test_links_have_a_preview_too():
    assert preview_file("a.csv", b"from,to\na,b\n", part="edge").proposed == {"source": "from", "target": "to"}


def test_numbers_are_no_times_and_few_words_no_text():
    assert preview_file("a.csv", b"n,w\n1,yes\n2,no\n").proposed == {"id": "n"}


def test_an_empty_file_is_refused():
    with pytest.raises(ReadError, match="empty"):
        preview_file("a.csv", b"")


def test_columns_of_links_are_found_by_the_ids_that_they_hold():
    content = b"weight,whom,who,note\n1,a,b,x\n2,b,c,a\n3,c,zz,y\n"
    look = preview_file("links.csv", content, part="edge", known_ids={"a", "b", "c"})
    assert look.proposed == {"source": "whom"}  # of who only 2 in 3 are ids
    look = preview_file("links.csv", content, part="edge", known_ids={"a", "b", "c", "zz"})
    assert look.proposed == {"source": "whom", "target": "who"}
    assert look.by_content == {"source", "target"}
    named = preview_file("links.csv", b"to,x\na,b\n", part="edge", known_ids={"a", "b"})
    assert (named.proposed, named.by_content) == ({"target": "to", "source": "x"}, {"source"})
    assert preview_file("links.csv", content, part="edge").proposed == {}
