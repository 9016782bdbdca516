package dev.hearth.engine.internal.plan;

import dev.hearth.spi.id.ExecutorId;

/** Executor and host that store the output of one map task. */
public record MapOutputLocation(ExecutorId executor, String host) {}
