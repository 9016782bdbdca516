package dev.hearth.engine.internal.dag;

/**
 * A point in time on both clocks: the monotonic one for durations, the wall clock for times shown to people. Immutable.
 */
public record Moment(long nanos, long millis) {}
