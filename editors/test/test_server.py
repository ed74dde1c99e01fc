"""`jsonx lsp` with pytest-lsp as client, which checks that every message follows the protocol. The program is in $JSONX."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

JSONX = os.environ["JSONX"]
TEXT = '{"name": "häß😀", "ports": [80, 8080,], "items": [{"id": 1}]}\n'


@pytest_lsp.fixture(
    params=["visual-studio-code", "neovim", "emacs"],
    config=ClientServerConfig(server_command=[JSONX, "lsp"]),
)
async def client(request, lsp_client: LanguageClient, tmp_path_factory):
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "jsonx.json").write_text('{"overrides": [{"files": ["[a-z].json"], "schema": "app.schema.json"}]}')
    (folder / "app.schema.json").write_text(
        '{"title": "App", "properties": {"name": {"description": "What it is called", "maxLength": 3}, "debug": {"enum": ["on", "off"]}}}'
    )

    @lsp_client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def _(params: types.RegistrationParams):
        """Watched files: this client changes none."""

    params = types.InitializeParams(
        capabilities=client_capabilities(request.param), root_uri=folder.as_uri(), workspace_folders=[]
    )
    await lsp_client.initialize_session(params)
    lsp_client.folder = folder
    yield
    await lsp_client.shutdown_session()


def opened(client: LanguageClient, text: str, name: str = "a.json", language: str = "json") -> str:
    uri = pathlib.Path(client.folder, name).as_uri()
    document = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=document))
    return uri


async def findings(client: LanguageClient, uri: str) -> list[types.Diagnostic]:
    """Diagnostics, pushed or, if the client supports it, pulled."""
    wanted = client.capabilities.text_document
    if wanted and wanted.diagnostic:
        params = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=uri))
        report = await client.text_document_diagnostic_async(params)
        return list(report.items)
    await client.wait_for_notification("textDocument/publishDiagnostics")
    return list(client.diagnostics[uri])


@pytest.mark.asyncio
async def test_findings_with_both_places(client: LanguageClient):
    uri = opened(client, TEXT)
    found = await findings(client, uri)
    assert [finding.code for finding in found] == ["trailing-comma"]
    assert found[0].source == "jsonx"
    uri = opened(client, TEXT.replace(",]", "]"), "b.json")
    found = await findings(client, uri)
    assert [finding.code for finding in found] == ["schema/maxLength"]
    places = found[0].related_information
    assert places and places[0].location.uri.endswith("app.schema.json")


@pytest.mark.asyncio
async def test_requests(client: LanguageClient):
    text = TEXT.replace(",]", "]")
    uri = opened(client, text)
    document = types.TextDocumentIdentifier(uri=uri)
    start = types.Position(line=0, character=3)
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert {"name", "ports", "items"} <= {symbol.name for symbol in symbols}
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(text_document=document))
    assert folds is not None
    ranges = await client.text_document_selection_range_async(
        types.SelectionRangeParams(text_document=document, positions=[start])
    )
    assert len(ranges) == 1 and ranges[0].parent is not None
    options = types.FormattingOptions(tab_size=2, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(text_document=document, options=options)
    )
    assert edits


@pytest.mark.asyncio
async def test_what_is_typed(client: LanguageClient):
    uri = opened(client, "[1, 2]\n", "lines.jsonl", "jsonl")
    assert await findings(client, uri) == []
    changed = types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=2),
        content_changes=[
            types.TextDocumentContentChangePartial(
                range=types.Range(start=types.Position(line=1, character=0), end=types.Position(line=1, character=0)),
                text='{"a": 1\n{"b": 2}\n',
            )
        ],
    )
    client.text_document_did_change(changed)
    found = await findings(client, uri)
    assert [(finding.code, finding.range.start.line) for finding in found] == [("unclosed-bracket", 1)]
