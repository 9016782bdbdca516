package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;

/** Services of the submitting process that a cluster manager may use. */
public record SubmissionServices(RpcEnv rpc, EventLoop loop) {}
