package dev.hearth.spi.monitor;

/** What was added to a named accumulator, as text: by one task, or by all of a stage. */
public record AccumulableView(String name, String value) {}
