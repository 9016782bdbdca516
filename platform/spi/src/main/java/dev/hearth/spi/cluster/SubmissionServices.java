package dev.hearth.spi.cluster;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;

/** What a submitter lends to a cluster manager. */
public record SubmissionServices(RpcEnv rpc, EventLoop loop) {}
