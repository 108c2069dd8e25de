"""Meaning on this machine: a small model that turns sentences and titles into vectors, without a server.

    model_folder.find(embeddings)            → ModelFolder   where its weights lie, and how it is to be used
    fetch_model.fetch(known, settings, …)    → the weights of a known model, once and on the user's word
    local_model.LocalModel(folder)           → vectors of texts; loaded at first use
    local_embedder.LocalEmbedder(model)      → the same as an endpoint of embeddings answers
    local_reranker.reranker(settings)        → a cross-encoder, which reads a sentence beside each work
    near_titles.TitleVectors(model)          → how near the author's own titles lie to a place

All of it needs the extra `meaning`; nothing is imported from that before it is used.
"""
