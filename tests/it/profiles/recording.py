"""The profile service of examples/profiles, which also prints a line of JSON for every call.

    recording.py FILE [--one-by-one]

With --one-by-one it has no BatchGetProfiles.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples/profiles"))
import server


class Recording(server.Profiles):
    def GetProfile(self, request, context):
        record("GetProfile", [request.user_id], context)
        return super().GetProfile(request, context)

    def BatchGetProfiles(self, request, context):
        if "--one-by-one" in sys.argv:
            return server.services.ProfileServiceServicer.BatchGetProfiles(self, request, context)
        record("BatchGetProfiles", request.user_ids, context)
        return super().BatchGetProfiles(request, context)


def record(call, user_ids, context):
    line = {"call": call, "ids": list(user_ids), "authorization": server.token_of(context)}
    # Writes each line in one piece, because calls are concurrent, and each must have a separate line.
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


server.serve(Recording(server.read(sys.argv[1])), "127.0.0.1:0")
