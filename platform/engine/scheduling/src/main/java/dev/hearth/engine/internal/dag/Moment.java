package dev.hearth.engine.internal.dag;

/**
 * A point in time on two clocks: the monotonic clock for durations, the wall clock for times shown to people.
 * Immutable.
 */
public record Moment(long nanos, long millis) {}
