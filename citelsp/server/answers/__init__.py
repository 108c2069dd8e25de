"""One module for each kind of request or command: from the editor's words to a feature and back."""
