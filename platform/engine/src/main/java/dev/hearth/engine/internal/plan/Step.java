package dev.hearth.engine.internal.plan;

import dev.hearth.spi.rpc.Bytes;

/** One transformation: its kind, and the user's function as it was captured when the transformation was written. */
public record Step(StepKind kind, Bytes function) {}
