package dev.hearth.spi.monitor;

/** Named accumulator and its value as text, for one task or summed over a stage. */
public record AccumulableView(String name, String value) {}
