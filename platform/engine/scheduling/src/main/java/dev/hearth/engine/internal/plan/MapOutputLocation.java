package dev.hearth.engine.internal.plan;

import dev.hearth.spi.id.ExecutorId;

/** Location of the output of one map task. */
public record MapOutputLocation(ExecutorId executor, String host) {}
