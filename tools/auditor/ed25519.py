"""Signatures by Ed25519, checked as RFC 8032, section 5.1.7, says; slow, and for public bytes only."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]  # X, Y, Z, T: x = X/Z, y = Y/Z, x * y = T/Z


def add(a: Point, b: Point) -> Point:
    """The sum of two points of the curve."""
    difference, total = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    c, d = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = total - difference, d - c, d + c, total + difference
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar: int, point: Point) -> Point:
    """A point so many times."""
    result: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point = add(point, point)
        scalar >>= 1
    return result


def are_equal(a: Point, b: Point) -> bool:
    """Whether two points are the same."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point_of(y: int, sign: int) -> Point | None:
    """The point with this y, and an x of this lowest bit."""
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_of(4 * pow(5, -1, P) % P, 0)
assert BASE is not None


def decompress(data: bytes) -> Point | None:
    """The point that 32 bytes stand for."""
    number = int.from_bytes(data, "little")
    return point_of(number & (2**255 - 1), number >> 255)


def is_valid(signature: bytes, message: bytes, public_key: bytes) -> bool:
    """Whether a signature fits a message and a public key."""
    if len(signature) != 64 or len(public_key) != 32:
        return False
    key, commitment = decompress(public_key), decompress(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    return are_equal(multiply(scalar, BASE), add(commitment, multiply(challenge, key)))
