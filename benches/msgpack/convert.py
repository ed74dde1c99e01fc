"""Times Python's json and msgpack for the MessagePack bench, which keeps this program alive and sends it requests over a pipe:

    name                what is installed
    load LENGTH         followed by LENGTH bytes: the JSON text of the next requests; answers "loaded"
    encode              the length of its MessagePack, with -0 as a float
    time encode N       the nanoseconds that reading the JSON and packing it takes, N times
    time decode N       the same for unpacking and writing compact JSON

One line for an answer.
"""

import json
import sys
import time

import msgpack


def encode(text):
    return msgpack.packb(json.loads(text))


def exact(text):
    """Like encode, but -0 is a float: json reads it as the integer 0."""
    return msgpack.packb(json.loads(text, parse_int=lambda number: -0.0 if number == "-0" else int(number)))


def decode(packed):
    return json.dumps(msgpack.unpackb(packed, strict_map_key=False), separators=(",", ":"), ensure_ascii=False)


def main():
    text = packed = b""
    for line in iter(sys.stdin.buffer.readline, b""):
        request = line.split()
        if request[0] == b"name":
            answer = "Python's msgpack " + ".".join(map(str, msgpack.version))
        elif request[0] == b"load":
            text = sys.stdin.buffer.read(int(request[1]))
            packed = encode(text)
            answer = "loaded"
        elif request[0] == b"encode":
            answer = len(exact(text))
        else:
            work, data = (encode, text) if request[1] == b"encode" else (decode, packed)
            start = time.perf_counter_ns()
            for _ in range(int(request[2])):
                work(data)
            answer = time.perf_counter_ns() - start
        print(answer, flush=True)


main()
