"""Reads cases as lines of JSON and prints for each whether it is accepted.

Written from the texts of RFC 6962, RFC 8032, C2SP signed-note and tlog-cosignature, plainly and recursively.
"""

import base64
import hashlib
import json
import sys


def sha256(data):
    return hashlib.sha256(data).digest()


def tree_hash(leaves):
    """MTH of RFC 6962, section 2.1, over hashes of leaves."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return sha256(b"\x01" + tree_hash(leaves[:k]) + tree_hash(leaves[k:]))


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def path(m, leaves):
    """PATH of section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if m < k:
        return path(m, leaves[:k]) + [tree_hash(leaves[k:])]
    return path(m - k, leaves[k:]) + [tree_hash(leaves[:k])]


def proof(m, leaves):
    """PROOF of section 2.1.2."""
    return subproof(m, leaves, True)


def subproof(m, leaves, whole):
    n = len(leaves)
    if m == n:
        return [] if whole else [tree_hash(leaves)]
    k = split(n)
    if m <= k:
        return subproof(m, leaves[:k], whole) + [tree_hash(leaves[k:])]
    return subproof(m - k, leaves[k:], False) + [tree_hash(leaves[:k])]


# Ed25519, RFC 8032, section 5.1.

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)


def recover_x(y, sign):
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(data):
    y = int.from_bytes(data, "little")
    x = recover_x(y & (1 << 255) - 1, y >> 255)
    return None if x is None else (x, y & (1 << 255) - 1)


def add(one, other):
    (x1, y1), (x2, y2) = one, other
    cross = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + cross, P - 2, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - cross, P - 2, P)
    return x % P, y % P


def times(scalar, one):
    total = (0, 1)
    while scalar:
        if scalar & 1:
            total = add(total, one)
        one = add(one, one)
        scalar >>= 1
    return total


BASE_Y = 4 * pow(5, P - 2, P) % P
BASE = (recover_x(BASE_Y, 0), BASE_Y)


def verifies(key, message, signature):
    if len(signature) != 64:
        return False
    public, r = point(key), point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if public is None or r is None or s >= Q:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % Q
    return times(s, BASE) == add(r, times(h, public))


# C2SP signed-note and tlog-cosignature.


def signed(case):
    name, key_id, key = case["verifier"].split("+", 2)
    raw = base64.b64decode(key)
    if key_id != sha256(name.encode() + b"\n" + raw)[:4].hex():
        return False
    text, lines = case["note"].rsplit("\n\n", 1)
    text += "\n"
    if text != case["text"]:
        return False
    for line in lines.splitlines():
        dash, signer, encoded = line.split(" ")
        signature = base64.b64decode(encoded)
        if dash != "\u2014" or signer != name or signature[:4].hex() != key_id:
            continue
        if raw[0] == 1:
            return verifies(raw[1:], text.encode(), signature[4:])
        if raw[0] != 4:
            return False
        time = int.from_bytes(signature[4:12], "big")
        message = f"cosignature/v1\ntime {time}\n{text}"
        return time == case["time"] and verifies(raw[1:], message.encode(), signature[12:])
    return False


def check(case):
    kind = case["kind"]
    if kind in ("note", "cosignature"):
        return signed(case)
    leaves = [sha256(b"\x00" + leaf.encode()) for leaf in case["leaves"]]
    found = [base64.b64decode(text) for text in case["proof"]]
    size = case["size"]
    if tree_hash(leaves[:size]) != base64.b64decode(case["root"]):
        return False
    if kind == "inclusion":
        index = case["index"]
        return leaves[index] == base64.b64decode(case["leaf"]) and found == path(index, leaves[:size])
    former = case["former"]
    return tree_hash(leaves[:former]) == base64.b64decode(case["old"]) and found == proof(former, leaves[:size])


for line in sys.stdin:
    print("true" if check(json.loads(line)) else "false")
