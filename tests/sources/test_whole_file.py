import httpx
import pytest

from citelsp.base.settings import Settings
from citelsp.sources import whole_file
from function_network import Web


async def test_an_error_without_words_is_told_by_its_name():
    def fail(_):
        raise httpx.ReadError("")

    with pytest.raises(whole_file.DownloadError, match=r"^models\.test: ReadError$"):
        await whole_file.download(Settings(), "https://models.test/file", 3, Web(fail))
