"""A profile service for Fieldbook, over the people in a JSON file.

    server.py [--file people.json] [--listen 127.0.0.1:8081]

To write your own, keep `Profiles` and replace `find`, which is where your directory comes in. The contract is
proto/fieldbook/profile/v1/profile.proto. In another language, generate the stubs from it.
"""

import argparse
import json
import re
import sys
from concurrent import futures
from pathlib import Path

import grpc

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "proto"))
messages, services = grpc.protos_and_services("fieldbook/profile/v1/profile.proto")

USER_ID = re.compile("[0-9a-f]{24}")


def read(file):
    """Returns the people of a JSON array of `{id, name, email, avatar}` by id. Only the id is required."""
    return {person["id"].lower(): person for person in json.loads(Path(file).read_text(encoding="utf-8"))}


class Profiles(services.ProfileServiceServicer):
    def __init__(self, people):
        self.people = people

    def find(self, user_id, token):
        """Returns the profile of a user, or None if there is none or the caller may not see it.

        `token` is the caller's token as Fieldbook received it: `Bearer …`, or None. Check it in the way that the rest
        of your system does, if not every caller may see every profile.
        """
        person = self.people.get(user_id)
        if person is None:
            return None
        # A field that is None is absent, and Fieldbook shows null.
        return messages.Profile(
            user_id=user_id, name=person.get("name"), email=person.get("email"), avatar=person.get("avatar")
        )

    def GetProfile(self, request, context):
        profile = self.find(user_id_of(request.user_id, context), token_of(context))
        if profile is None:
            context.abort(grpc.StatusCode.NOT_FOUND, "the user does not exist")
        return messages.GetProfileResponse(profile=profile)

    def BatchGetProfiles(self, request, context):
        """Fieldbook asks for all authors on a page at once. Users without a profile are left out of the answer.

        Without this call, Fieldbook asks for each author with GetProfile.
        """
        token = token_of(context)
        found = [self.find(user_id_of(user_id, context), token) for user_id in request.user_ids]
        return messages.BatchGetProfilesResponse(profiles=[profile for profile in found if profile is not None])


def user_id_of(text, context):
    if not USER_ID.fullmatch(text):
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, "a user id must be 24 hexadecimal digits")
    return text


def token_of(context):
    return dict(context.invocation_metadata()).get("authorization")


def serve(profiles, listen):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=8))
    services.add_ProfileServiceServicer_to_server(profiles, server)
    # Callers' tokens come over this connection: use add_secure_port if the network is not yours.
    port = server.add_insecure_port(listen)
    server.start()
    print(f"listening on http://{listen.rpartition(':')[0]}:{port}", flush=True)
    server.wait_for_termination()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A profile service for Fieldbook, over the people in a JSON file")
    parser.add_argument("--file", default=HERE / "people.json")
    parser.add_argument("--listen", default="127.0.0.1:8081", metavar="ADDR")
    arguments = parser.parse_args()
    serve(Profiles(read(arguments.file)), arguments.listen)
