package dev.hearth.engine.internal.dag;

/** When something happened: a steady count for durations, and the calendar for what people read. */
public record Moment(long nanos, long millis) {}
