#!/usr/bin/env python3
"""Writes a log of tio/1 with so many events: log.py atm|session EVENTS"""
import sys


def atm(events):
    # The refusal shows the balance, so that it is known from the third event on.
    yield '{"input":"Withdrawal","args":[900],"at":"0"}'
    yield '{"output":"InsufficientFunds","args":[900],"at":"0.5"}'
    yield '{"output":"PrintBalance","args":[800],"at":"1"}'
    for i in range((events - 3) // 3):
        time = 8 * i + 2
        yield f'{{"input":"Withdrawal","args":[900],"at":"{time}.25"}}'
        yield f'{{"output":"InsufficientFunds","args":[900],"at":"{time + 1}.125"}}'
        yield f'{{"output":"PrintBalance","args":[800],"at":"{time + 4}"}}'


def session(events):
    pdu = '{{"kind":"{}","seq":{},"payload":{}}}'
    yield '{"input":"connect","args":[],"at":"1"}'
    yield '{"output":"transmit","args":[' + pdu.format("syn", 0, 0) + '],"at":"2"}'
    yield '{"input":"arrive","args":[' + pdu.format("syn_ack", 0, 0) + '],"at":"3.5"}'
    yield '{"output":"connected","args":[],"at":"5"}'
    for i in range((events - 4) // 3):
        time, seq = 10 * i + 10, i % 8
        yield f'{{"input":"submit","args":[{i % 256}],"at":"{time}"}}'
        yield f'{{"output":"transmit","args":[{pdu.format("data", seq, i % 256)}],"at":"{time + 2}.125"}}'
        yield f'{{"input":"arrive","args":[{pdu.format("ack", (seq + 1) % 8, 0)}],"at":"{time + 5}.25"}}'


for line in (atm if sys.argv[1] == "atm" else session)(int(sys.argv[2])):
    print(line)
