#!/usr/bin/env python3
"""Pushes with aioapns what standard input orders, and tells how fast, on standard output."""

import asyncio
import collections
import json
import logging
import ssl
import sys
import time

import aioapns
import aioapns.connection


async def main(order):
    told = order["told"]
    host, port = told["apns"]["url"].removeprefix("https://").split(":")
    aioapns.connection.APNsProductionClientProtocol.APNS_SERVER = host
    aioapns.connection.APNsTLSClientProtocol.APNS_PORT = int(port)
    client = aioapns.APNs(
        key=told["apns"]["keyPEM"],
        key_id=told["apns"]["keyID"],
        team_id=told["apns"]["teamID"],
        topic=told["apns"]["bundleID"],
        use_sandbox=False,
        # Every connection signs a token of its own, and APNs refuses a second one from the same client so soon.
        max_connections=1,
        ssl_context=ssl.create_default_context(cafile=told["caFile"]),
    )
    tokens = [device["token"] for device in told["devices"]]
    numbers = iter(range(order["pushes"]))
    milliseconds, refusals = [], collections.Counter()

    def request(number):
        return aioapns.NotificationRequest(
            device_token=tokens[number % len(tokens)],
            message=order["payload"],
            push_type=aioapns.PushType.ALERT,
            priority=10,
            collapse_key=f"n{number}",
        )

    async def work():
        # One iterator for all: each number is taken once.
        for number in numbers:
            start = time.perf_counter()
            answer = await client.send_notification(request(number))
            if answer.is_successful:
                milliseconds.append(1_000 * (time.perf_counter() - start))
            else:
                refusals[answer.description] += 1

    # Alone, so that there is a connection: several that ask for the first one at once wait for seconds.
    await client.send_notification(request(0))
    start = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(order["concurrency"])))
    rate = len(milliseconds) / (time.perf_counter() - start)
    return {"rate": rate, "accepted": len(milliseconds), "milliseconds": milliseconds, "refusals": refusals}


logging.disable(logging.ERROR)
print(json.dumps(asyncio.run(main(json.load(sys.stdin)))))
