"""Carries packets between hosts and delays each of them.

    relay.py HOSTS MILLISECONDS

It creates a device scale0, scale1, ... for each host and prints `ready`; the caller then moves each device to the
namespace of its host. It needs only tun from the kernel, since netem is not available everywhere.
"""

import collections
import fcntl
import os
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 1, 0x1000


def main():
    hosts, delay = int(sys.argv[1]), float(sys.argv[2]) / 1000
    devices = []
    for host in range(hosts):
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", f"scale{host}".encode(), IFF_TUN | IFF_NO_PI))
        devices.append(device)
    print("ready", flush=True)
    poll = select.epoll()
    for device in devices:
        poll.register(device, select.EPOLLIN)
    waiting = collections.deque()
    while True:
        pause = -1 if not waiting else max(0.0, waiting[0][0] - time.monotonic())
        for device, _ in poll.poll(pause):
            try:
                for _ in range(64):
                    packet = os.read(device, 65536)
                    # 10.77.0.1 is the first host.
                    if packet[0] >> 4 == 4 and packet[16:19] == bytes([10, 77, 0]) and 0 < packet[19] <= hosts:
                        waiting.append((time.monotonic() + delay, devices[packet[19] - 1], packet))
            except BlockingIOError:
                pass
            except OSError:
                time.sleep(0.001)  # The device has no address yet.
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, to, packet = waiting.popleft()
            try:
                os.write(to, packet)
            except OSError:
                pass  # It is lost, as on any network.


main()
