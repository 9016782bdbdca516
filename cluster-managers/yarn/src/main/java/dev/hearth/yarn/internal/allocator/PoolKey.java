package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.ProfileId;

/** Key of a pool of containers: a context of the application, and a profile of its executors. */
record PoolKey(int context, ProfileId profile) {}
