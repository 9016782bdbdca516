package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;

/**
 * Services of the process that submits an application: its message system and an event loop, for use by the cluster
 * manager.
 */
public record SubmissionServices(RpcEnv rpc, EventLoop loop) {}
