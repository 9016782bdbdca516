package dev.hearth.engine.internal.plan;

import dev.hearth.spi.id.ExecutorId;

/** Where the output of one map task lies. */
public record MapOutputLocation(ExecutorId executor, String host) {}
