"""Collections: one question to many puzzles, each answered once, by warm workers side by side, on a file by which it goes on.

    items = list(listing.items_of(family, files, {}))            # every puzzle of every file
    with AnswerFile(Path("out.jsonl")) as answers:
        for item, line in answered(items, question, answers, executor):
            ...                                                   # the line is in the file already

`listing`: which puzzles; `question`: what is asked of each, and one answer in a worker; `answers`: the file of answers;
`running`: what is still to be done and who does it; `summary`: what came of all. No family is named here.
"""
