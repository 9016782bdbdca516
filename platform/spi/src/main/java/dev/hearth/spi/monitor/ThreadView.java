package dev.hearth.spi.monitor;

import java.util.List;
import java.util.OptionalLong;

/**
 * Thread in a thread dump: stack with the innermost frame first, the locks that it holds, the lock that it waits for,
 * and the holder of that lock. {@code state} is a constant of {@link Thread.State}.
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
