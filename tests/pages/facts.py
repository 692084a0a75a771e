"""`python facts.py RESULTS > facts.csv`: an author for each instance, for pages that group by features of a CSV file."""

import json
import sys
from pathlib import Path

instances = {json.loads(line)["instance"] for line in Path(sys.argv[1], "runs.jsonl").read_text().splitlines()}
print("instance,author")
for number, instance in enumerate(sorted(instances)):
    print(f'"{instance}",{("Ada", "Ben")[number % 2]}')
