package dev.hearth.spi.monitor;

import java.util.List;
import java.util.OptionalLong;

/**
 * A thread as it was at one moment: what is on its stack, innermost first, what it waits for and who has that, and what it holds.
 * {@code state} is a constant of {@link Thread.State}.
 */
public record ThreadView(
        long id,
        String name,
        String state,
        boolean daemon,
        int priority,
        boolean inNative,
        List<String> stack,
        String waitsFor,
        OptionalLong holderId,
        String holder,
        List<String> holds) {
    public ThreadView {
        stack = List.copyOf(stack);
        holds = List.copyOf(holds);
    }
}
