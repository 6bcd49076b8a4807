"""What stands between a live source and the network: addresses, sockets, bodies, pace, robots.txt."""
