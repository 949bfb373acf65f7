"""evict.py PROCESS FILE: takes the pages of the file that the process has mapped out of memory, as a system that is
short of memory does. Needs root. Fails if most of them stay."""
import ctypes
import os
import sys

PROCESS_MADVISE, MADV_PAGEOUT = 440, 21


class Part(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def maps():
    """Start and length of each map of the file, and its resident bytes."""
    found, is_file = [], False
    for line in open(f"/proc/{process}/smaps"):
        fields = line.split()
        if "-" in fields[0] and not fields[0].endswith(":"):
            is_file = fields[-1] == file
            start, end = (int(address, 16) for address in fields[0].split("-"))
        elif is_file and fields[0] == "Rss:":
            found.append((start, end - start, int(fields[1]) * 1024))
    return found


process, file = int(sys.argv[1]), os.path.realpath(sys.argv[2])
libc = ctypes.CDLL(None, use_errno=True)
descriptor = os.pidfd_open(process)
for start, length, _ in maps():
    part = Part(start, length)
    taken = libc.syscall(PROCESS_MADVISE, descriptor, ctypes.byref(part), ctypes.c_size_t(1), MADV_PAGEOUT, 0)
    if taken < 0:
        sys.exit(f"process_madvise: {os.strerror(ctypes.get_errno())}")
left, all_of_it = sum(resident for *_, resident in maps()), sum(length for _, length, _ in maps())
if left > all_of_it / 100 or not all_of_it:
    sys.exit(f"{left} of {all_of_it} bytes are still in memory")
