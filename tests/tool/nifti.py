# SPDX-License-Identifier: Apache-2.0
"""Writes NIfTI files, good ones and bad ones, and reads the ones that rung writes. Standard library only."""
import gzip
import math
import random
import struct
import sys
from array import array

# name: (NIfTI code, bytes, struct letter)
TYPES = {
    "int8": (256, 1, "b"), "uint8": (2, 1, "B"), "int16": (4, 2, "h"), "uint16": (512, 2, "H"), "int32": (8, 4, "i"),
    "uint32": (768, 4, "I"), "int64": (1024, 8, "q"), "uint64": (1280, 8, "Q"), "float32": (16, 4, "f"),
    "float64": (64, 8, "d"), "complex64": (32, 8, "f"), "rgb24": (128, 3, "B"), "float128": (1536, 16, "d"),
}
DIAGONAL = ((3.0, 0.0, 0.0, -12.0), (0.0, 3.0, 0.0, -15.0), (0.0, 0.0, 3.0, -9.0))


def header(dims, dtype="float32", *, version=1, endian="<", slope=0.0, inter=0.0, affine=DIAGONAL, sform=1, qform=0,
           pixdim=(3.0, 3.0, 3.0), units=2, pair=False, magic=None, dim0=None):
    """The bytes before the data. `dims` is written as it is."""
    code, size, _ = TYPES[dtype]
    dim = [len(dims) if dim0 is None else dim0, *dims] + [1] * (7 - len(dims))
    pix = [1.0, *pixdim, 2.0, 0.0, 0.0, 0.0]
    rows = affine[0] + affine[1] + affine[2]
    if version == 2:
        magic = magic or (b"ni2\0\r\n\x1a\n" if pair else b"n+2\0\r\n\x1a\n")
        offset = 0 if pair else 544
        head = struct.pack(endian + "i8shh8q3d8dqddddddqq80s24siiddd3d4d4d4diii16sB15s", 540, magic, code, 8 * size,
                           *dim, 0, 0, 0, *pix,
                           offset, slope, inter, 0, 0, 0, 0, 0, 0, b"test", b"", qform, sform, 0, 0, 0,
                           0, 0, 0, *rows, 0, units, 0, b"", 0, b"")
        return head + (b"" if pair else b"\0" * 4)
    magic = magic or (b"ni1\0" if pair else b"n+1\0")
    offset = 0.0 if pair else 352.0
    head = struct.pack(endian + "i10s18sihcB8hfffhhhh8ffffhBBffffii80s24shh6f4f4f4f16s4s", 348, b"", b"", 0, 0, b"r", 0,
                       *dim, 0, 0, 0, 0, code, 8 * size, 0, *pix, offset, slope, inter, 0, 0, units, 0, 0, 0, 0, 0, 0,
                       b"test", b"", qform, sform, 0, 0, 0, 0, 0, 0, *rows, b"", magic)
    return head + (b"" if pair else b"\0" * 4)


def body(values, dtype="float32", endian="<"):
    data = array(TYPES[dtype][2], values)
    if (endian == "<") != (sys.byteorder == "little"):
        data.byteswap()
    return data.tobytes()


def save(path, data):
    path = str(path)
    with open(path, "wb") as out:
        out.write(gzip.compress(data, 1, mtime=0) if path.endswith(".gz") else data)


def write(path, dims, values, dtype="float32", **how):
    """A single file. Keywords as for header()."""
    save(path, header(dims, dtype, **how) + body(values, dtype, how.get("endian", "<")))


class Truth:
    """A scan made of a few spheres; `values` are whole numbers from 0 to 127, so that every type can hold them."""

    def __init__(self, shape=(9, 10, 8), volumes=24, factors=3, noise=0.8, affine=DIAGONAL, seed=1, centers=None,
                 order=None):
        rand = random.Random(seed)
        self.shape, self.volumes, self.affine = shape, volumes, affine
        self.dims = (*shape, volumes)
        grid = [(i, j, k) for k in range(shape[2]) for j in range(shape[1]) for i in range(shape[0])]
        place = [tuple(r[0] * i + r[1] * j + r[2] * k + r[3] for r in affine) for i, j, k in grid]
        spots = [(0.25, 0.25, 0.3), (0.75, 0.35, 0.65), (0.4, 0.8, 0.5)][:factors]
        self.centers = centers or []
        for spot in spots if centers is None else ():
            index = [s * (n - 1) for s, n in zip(spot, shape)]
            self.centers.append(tuple(sum(r[c] * index[c] for c in range(3)) + r[3] for r in affine))
        edge = math.hypot(*(affine[r][0] for r in range(3)))
        self.widths = [1.5 * edge, 1.8 * edge, 1.65 * edge][:factors]
        if centers is not None:  # in mm, of which each scan of a subject can have its own, in an order of its own
            order = order or range(factors)
            self.centers = [centers[k] for k in order]
            self.widths = [(4.5, 5.4, 4.95)[k] for k in order]
        shapes = [[math.exp(-sum((p - c) ** 2 for p, c in zip(r, center)) / (2 * s * s)) for r in place]
                  for center, s in zip(self.centers, self.widths)]
        weights = [[14 * math.sin(0.5 * t * (k + 1) + k) + 4 * rand.gauss(0, 1) for t in range(volumes)]
                   for k in range(len(shapes))]
        self.values = []
        for t in range(volumes):
            for v in range(len(grid)):
                x = 60 + sum(f[v] * w[t] for f, w in zip(shapes, weights)) + noise * rand.gauss(0, 1)
                self.values.append(min(127, max(0, round(x))))

    def write(self, path, dtype="float32", **how):
        how.setdefault("affine", self.affine)
        write(path, self.dims, self.values, dtype, **how)
        return path


def read(path):
    """(version, dims, affine rows, float32 values, header) of a little-endian file that rung wrote."""
    with gzip.open(path, "rb") as f:
        data = f.read()
    if struct.unpack_from("<i", data)[0] == 348:
        version, dim = 1, struct.unpack_from("<8h", data, 40)
        code, offset = struct.unpack_from("<h", data, 70)[0], int(struct.unpack_from("<f", data, 108)[0])
        rows = struct.unpack_from("<12f", data, 280)
    else:
        version, dim = 2, struct.unpack_from("<8q", data, 16)
        code, offset = struct.unpack_from("<h", data, 12)[0], struct.unpack_from("<q", data, 168)[0]
        rows = struct.unpack_from("<12d", data, 400)
    assert code == 16
    dims = dim[1:1 + dim[0]]
    count = math.prod(dims)
    assert len(data) == offset + 4 * count
    values = array("f")
    values.frombytes(data[offset:])
    if sys.byteorder != "little":
        values.byteswap()
    return version, dims, (rows[0:4], rows[4:8], rows[8:12]), values, data[:offset]
