"""The editor's words and ours: positions, URIs, capabilities, what may be shown, how a refusal is put."""
