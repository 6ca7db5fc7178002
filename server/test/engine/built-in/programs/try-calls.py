"""Makes system calls that no engine needs, and prints the error number of each as JSON; 0 if it succeeds."""
import ctypes
import json
import platform

libc = ctypes.CDLL(None, use_errno=True)
column = 1 if platform.machine() == "aarch64" else 0
new_user = 0x10000000
unix, vsock, stream = 1, 40, 1
calls = {
    "AF_VSOCK socket": ((41, 198), vsock, stream, 0),
    "AF_UNIX socket": ((41, 198), unix, stream, 0),
    "keyctl": ((250, 219), 0, -3, 0),
    "add_key": ((248, 217), b"user", b"name", b"value", 5, -3),
    "request_key": ((249, 218), b"user", b"name", None, 0),
    "new user namespace": ((272, 97), new_user),
    "clone into a user namespace": ((56, 220), new_user | 17, 0, 0, 0, 0),
    "ptrace": ((101, 117), 0, 0, 0, 0),
    "io_uring": ((425, 425), 1, None),
    "clone3": ((435, 435), None, 0),
}


def attempt(numbers, *parameters):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(numbers[column]), *parameters)
    return ctypes.get_errno() if result == -1 else 0


print(json.dumps({name: attempt(*call) for name, call in calls.items()}))
