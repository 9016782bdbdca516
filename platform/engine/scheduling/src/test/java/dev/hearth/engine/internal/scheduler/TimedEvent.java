package dev.hearth.engine.internal.scheduler;

/** An action at a time of a simulation. Of two at the same time, the one with the lower order comes first. */
record TimedEvent(long at, int order, Runnable action) implements Comparable<TimedEvent> {
    @Override
    public int compareTo(TimedEvent other) {
        return at != other.at ? Long.compare(at, other.at) : Integer.compare(order, other.order);
    }
}
