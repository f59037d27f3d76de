"""A profile service in another language, over the project's own contract.

    server.py PROTO [--one-by-one]

PROTO is the folder of the contract. Prints where it listens, and then a line of JSON for every call that comes.
Knows every user but those whose id begins with "f". With --one-by-one it has no BatchGetProfiles.
"""

import json
import sys
from concurrent import futures

import grpc

sys.path.insert(0, sys.argv[1])
messages, services = grpc.protos_and_services("fieldbook/profile/v1/profile.proto")


def profile(user_id):
    return messages.Profile(user_id=user_id, name="Zoë " + user_id[-2:], email=user_id + "@example.org")


def tell(call, user_ids, context):
    authorization = dict(context.invocation_metadata()).get("authorization")
    # In one piece: calls come side by side, and each has a line of its own.
    sys.stdout.write(json.dumps({"call": call, "ids": list(user_ids), "authorization": authorization}) + "\n")
    sys.stdout.flush()


class OneByOne(services.ProfileServiceServicer):
    def GetProfile(self, request, context):
        tell("GetProfile", [request.user_id], context)
        if request.user_id.startswith("f"):
            context.abort(grpc.StatusCode.NOT_FOUND, "nobody")
        return messages.GetProfileResponse(profile=profile(request.user_id))


class People(OneByOne):
    def BatchGetProfiles(self, request, context):
        tell("BatchGetProfiles", request.user_ids, context)
        known = [user_id for user_id in request.user_ids if not user_id.startswith("f")]
        return messages.BatchGetProfilesResponse(profiles=map(profile, reversed(known)))


server = grpc.server(futures.ThreadPoolExecutor(max_workers=4))
people = OneByOne() if "--one-by-one" in sys.argv else People()
services.add_ProfileServiceServicer_to_server(people, server)
port = server.add_insecure_port("127.0.0.1:0")
server.start()
print(f"listening on 127.0.0.1:{port}", flush=True)
server.wait_for_termination()
