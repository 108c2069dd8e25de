"""Manuscripts that have their bibliography `r.bib` read by one program or the other, as the head of a fixture."""

MAIN = {
    "biber": "%% m.tex\n\\documentclass{x}\\addbibresource{r.bib}\\nocite{*}\n%% r.bib\n",
    "bibtex": "%% m.tex\n\\documentclass{x}\\bibliographystyle{plain}\\bibliography{r}\\nocite{*}\n%% r.bib\n",
    "pandoc": "%% m.md\n---\nbibliography: r.bib\n---\n%% r.bib\n",
    "": "%% r.bib\n",
}
