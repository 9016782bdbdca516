package dev.hearth.yarn.internal.relay;

import dev.hearth.yarn.internal.relay.RelayProtocol.Numbered;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongFunction;

/** Messages of one side that are not acknowledged yet, in their order. Owned by the loop of its side. */
final class UnacknowledgedMessages {
    private final Deque<Numbered> waiting = new ArrayDeque<>();
    private long last;

    /** Adds the message that {@code maker} makes of its number, and returns it. */
    <M extends Record & Numbered> M add(LongFunction<M> maker) {
        M message = maker.apply(++last);
        waiting.add(message);
        return message;
    }

    /** Forgets messages that have arrived. */
    void acknowledged(long number) {
        while (!waiting.isEmpty() && waiting.peekFirst().number() <= number) {
            waiting.removeFirst();
        }
    }

    /** Forgets all messages, and numbers the next one 1: the other side is a new one. */
    void reset() {
        waiting.clear();
        last = 0;
    }

    /** The messages to repeat. */
    List<Numbered> waiting() {
        return List.copyOf(waiting);
    }

    int size() {
        return waiting.size();
    }

    /** The number of the last message, 0 if there was none. */
    long last() {
        return last;
    }
}
