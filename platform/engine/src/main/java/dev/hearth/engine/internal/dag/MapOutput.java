package dev.hearth.engine.internal.dag;

import dev.hearth.spi.id.ExecutorId;

/** Where the output of one map task lies. */
public record MapOutput(ExecutorId executor, String host) {}
