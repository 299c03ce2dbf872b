"""The layout that keeps Streamlit from running a page without the app's frame."""

from pathlib import Path

PAGES = Path(__file__).resolve().parents[2] / "pages"


def test_nothing_but_folders_lies_directly_in_pages():
    files = [path.name for path in PAGES.iterdir() if not path.is_dir()]
    assert files == ["__init__.py"]


def test_every_page_folder_is_in_the_navigation():
    frame = (PAGES.parent / "app.py").read_text()
    folders = {path.parent.name for path in PAGES.glob("*/page.py")}
    assert folders
    assert {name for name in folders if f'url_path="{name}"' in frame} == folders
